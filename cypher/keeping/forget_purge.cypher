// Delete memories for good with what the journal has of them, all or, when one is pinned, none.
// The turns beside a deleted one become neighbours; its session is locked first, as capture does.
// $agent  whose memories
// $ids    which, in order
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {id: id})
  WHERE m.agent = $agent
  OPTIONAL MATCH (m)-[:IN_SESSION]->(s:Session)
  WITH DISTINCT s
  ORDER BY s.key
  SET s.agent = s.agent
  RETURN count(s) AS sessions
}
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {id: id})
  WHERE m.agent = $agent
  SET m.agent = m.agent
  WITH collect(m) AS memories
  RETURN memories, [m IN memories WHERE m.pinned | m.id] AS pinned
}
WITH memories, pinned, [m IN memories WHERE pinned = [] | m.id] AS purged
CALL (purged) {
  MATCH (c:SleepChange)
  WHERE c.agent = $agent AND c.memory_id IN purged AND c.run IS NULL
  DELETE c
}
CALL (purged) {
  MATCH (i:SleepImage)
  WHERE i.agent = $agent AND i.key IN purged
  DETACH DELETE i
}
CALL (memories, pinned) {
  UNWIND memories AS m
  WITH m
  WHERE pinned = []
  CALL (m) {
    MATCH (before:Memory)-[:NEXT]->(m)-[:NEXT]->(after:Memory)
    MERGE (before)-[:NEXT]->(after)
  }
  DETACH DELETE m
}
RETURN pinned, purged
