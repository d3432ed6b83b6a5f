// What a range of an agent's memories is joined to, by edges of one type, in order.
// $agent  whose
// $type   type of the edges
// $after  the id before the range
// $until  the last id of the range
MATCH (m:Memory)
USING INDEX m:Memory(id)
WHERE m.id > $after AND m.id <= $until AND m.agent = $agent
MATCH (m)-[r:MENTIONS|ABOUT|IN_SESSION|NEXT|LINKS|SUPERSEDES|SUMMARISES|SIMILAR|AMENDS|FOR_TASK]->(n)
WHERE type(r) = $type AND n.agent = $agent
WITH m.id AS from, CASE WHEN n:Memory THEN n.id ELSE n.key END AS to, properties(r) AS properties
RETURN from, to, collect(properties) AS edges
ORDER BY from, to
