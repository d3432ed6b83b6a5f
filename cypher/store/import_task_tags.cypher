// Join memories to the tasks they were captured for.
// $agent  whose
// $rows   {from, to, properties, nth}: the nth of its like between two nodes, so that none is doubled
UNWIND $rows AS row
MATCH (a:Memory {id: row.from})
MATCH (b:Task {key: row.to})
WHERE a.agent = $agent AND b.agent = $agent
// Locks the node, so that two imports at once do not both find it missing.
SET a.agent = a.agent
WITH a, b, row
WHERE COUNT { (a)-[:FOR_TASK]->(b) } < row.nth
CREATE (a)-[r:FOR_TASK]->(b)
SET r = row.properties
