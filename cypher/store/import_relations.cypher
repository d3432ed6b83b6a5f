// Join entities to entities; a fact is told from another by type, beginning and qualifier.
// $agent  whose
// $type   type of the edges
// $rows   {from, to, properties, nth}: the nth of its like between two nodes, so that none is doubled
UNWIND $rows AS row
MATCH (a:Entity {key: row.from})
MATCH (b:Entity {key: row.to})
WHERE a.agent = $agent AND b.agent = $agent
// Locks the node, so that two imports at once do not both find it missing.
SET a.agent = a.agent
WITH a, b, row
WHERE COUNT {
  (a)-[r:RELATES|MERGED_INTO]->(b)
  WHERE type(r) = $type
    AND coalesce(r.type, '') = coalesce(row.properties.type, '')
    AND coalesce(r.valid_from.epochMillis, 0) = coalesce(row.properties.valid_from.epochMillis, 0)
    AND coalesce(r.qualifier, '') = coalesce(row.properties.qualifier, '')
} < row.nth
FOREACH (_ IN CASE $type WHEN 'RELATES' THEN [1] ELSE [] END |
  CREATE (a)-[r:RELATES]->(b) SET r = row.properties)
FOREACH (_ IN CASE $type WHEN 'MERGED_INTO' THEN [1] ELSE [] END |
  CREATE (a)-[r:MERGED_INTO]->(b) SET r = row.properties)
