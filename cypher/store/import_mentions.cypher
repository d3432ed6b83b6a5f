// Join memories to the entities in them.
// $agent  whose
// $type   type of the edges
// $rows   {from, to, properties, nth}: the nth of its like between two nodes, so that none is doubled
UNWIND $rows AS row
MATCH (a:Memory {id: row.from})
MATCH (b:Entity {key: row.to})
WHERE a.agent = $agent AND b.agent = $agent
// Locks the node, so that two imports at once do not both find it missing.
SET a.agent = a.agent
WITH a, b, row
WHERE COUNT { (a)-[r:MENTIONS|ABOUT]->(b) WHERE type(r) = $type } < row.nth
FOREACH (_ IN CASE $type WHEN 'MENTIONS' THEN [1] ELSE [] END |
  CREATE (a)-[r:MENTIONS]->(b) SET r = row.properties)
FOREACH (_ IN CASE $type WHEN 'ABOUT' THEN [1] ELSE [] END |
  CREATE (a)-[r:ABOUT]->(b) SET r = row.properties)
