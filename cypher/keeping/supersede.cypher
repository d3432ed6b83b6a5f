// Let a newer memory replace an older one, which ends where the newer begins; both are kept.
// $agent   whose memories
// $old     id of the memory that is replaced
// $new     id of the one that replaces it
// $reason  why, or null
// $now     when
OPTIONAL MATCH (space:EmbeddingSpace {name: 'store'})
SET space.name = space.name // changes nothing but takes the lock: two at once could close a circle
WITH count(space) AS locked
UNWIND CASE WHEN $old < $new THEN [$old, $new] ELSE [$new, $old] END AS id
MATCH (m:Memory {id: id})
WHERE m.agent = $agent
SET m.agent = m.agent
WITH collect(m) AS both
WITH head([m IN both WHERE m.id = $old]) AS old, head([m IN both WHERE m.id = $new]) AS new
WHERE old IS NOT NULL AND new IS NOT NULL
WITH old, new, EXISTS { (new)-[:SUPERSEDES]->(old) } AS known, CASE
  WHEN EXISTS { (old)-[:SUPERSEDES*]->(new) } THEN 'circle'
  WHEN new.quarantined THEN 'quarantined'
  WHEN new.archived_at IS NOT NULL THEN 'archived'
  WHEN old.pinned THEN 'pinned'
END AS refused
CALL (old, new, known, refused) {
  WITH old, new
  WHERE NOT known AND refused IS NULL
  CREATE (new)-[:SUPERSEDES {reason: $reason, at: $now}]->(old)
  CREATE (:SleepChange {
    id: randomUUID(), agent: $agent, memory_id: old.id, phase: 'by hand', action: 'supersede', at: $now,
    before: '{"valid_until": "' + old.valid_until + '", "version": ' + old.version + '}'
  })
  WITH old, coalesce(new.event_at, $now) AS begins
  WITH old, CASE WHEN begins < old.valid_from THEN old.valid_from ELSE begins END AS ends
  SET old.valid_until = CASE WHEN ends < old.valid_until THEN ends ELSE old.valid_until END,
      old.version = old.version + 1
}
RETURN
  CASE WHEN known THEN null ELSE refused END AS refused,
  old {
    .*, embedding: null, halves: null,
    session: head([(old)-[:IN_SESSION]->(s:Session) | s.id])
  } AS memory
