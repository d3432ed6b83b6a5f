// What a range of an agent's entities is joined to, by edges of one type, in order.
// $agent  whose
// $type   type of the edges
// $after  the key before the range
// $until  the last key of the range
MATCH (e:Entity)
USING INDEX e:Entity(key)
WHERE e.key > $after AND e.key <= $until AND e.agent = $agent
MATCH (e)-[r:RELATES|MERGED_INTO]->(n:Entity)
WHERE type(r) = $type AND n.agent = $agent
WITH e.key AS from, n.key AS to, properties(r) AS properties
RETURN from, to, collect(properties) AS edges
ORDER BY from, to
