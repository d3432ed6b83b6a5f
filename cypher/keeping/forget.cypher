// Archive memories, all or, when one of them is pinned, none; those archived before stay as they are.
// $agent  whose memories
// $ids    which, in order
// $lane   the agent's lane of what is not live
// $now    when
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WHERE m.agent = $agent
SET m.agent = m.agent // changes nothing but takes the lock, so that what is read now stays true
WITH collect(m) AS memories
WITH memories, [m IN memories WHERE m.pinned AND m.archived_at IS NULL | m.id] AS pinned
CALL (memories, pinned) {
  UNWIND memories AS m
  WITH m
  WHERE pinned = [] AND m.archived_at IS NULL
  CREATE (:SleepChange {
    id: randomUUID(), agent: $agent, memory_id: m.id, phase: 'by hand', action: 'forget', at: $now,
    before: '{"archived_at": null, "live": ' + m.live + ', "version": ' + m.version + '}'
  })
  SET m.archived_at = $now, m.live = false, m.lane = $lane, m.version = m.version + 1,
      m.dedupe_key_kept = m.dedupe_key
  REMOVE m.dedupe_key
  RETURN collect(m {
    .*, embedding: null, halves: null,
    session: head([(m)-[:IN_SESSION]->(s:Session) | s.id])
  }) AS changed
}
RETURN pinned, changed
