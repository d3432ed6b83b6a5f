// Pin a memory or let it go; not when one was pinned after the budget was checked.
// $agent   whose memory
// $id      which
// $pinned  whether it shall be
// $seen    ids of memories and paths of files that were pinned when the budget was checked
OPTIONAL MATCH (space:EmbeddingSpace {name: 'store'})
SET space.name = space.name // changes nothing but takes the lock: one pins at a time
WITH count(space) AS locked
MATCH (m:Memory {id: $id})
WHERE m.agent = $agent
SET m.agent = m.agent
WITH
  m,
  COLLECT { MATCH (p:Memory) WHERE p.agent = $agent AND p.pinned RETURN p.id }
  + COLLECT { MATCH (f:Folder) WHERE f.agent = $agent AND f.pinned_at IS NOT NULL RETURN f.path } AS all_pinned
WITH m, NOT $pinned OR all(id IN all_pinned WHERE id IN $seen) AS agreed
CALL (m, agreed) {
  WITH m
  WHERE agreed AND (m.live OR NOT $pinned) AND m.pinned <> $pinned
  CREATE (:SleepChange {
    id: randomUUID(), agent: $agent, memory_id: m.id, phase: 'by hand',
    action: CASE WHEN $pinned THEN 'pin' ELSE 'unpin' END, at: datetime(),
    before: '{"pinned": ' + m.pinned + ', "version": ' + m.version + '}'
  })
  SET m.pinned = $pinned, m.version = m.version + 1
}
RETURN
  agreed,
  m {
    .*, embedding: null, halves: null,
    session: head([(m)-[:IN_SESSION]->(s:Session) | s.id])
  } AS memory
