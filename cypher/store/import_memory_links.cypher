// Join memories to memories.
// $agent  whose
// $type   type of the edges
// $rows   {from, to, properties, nth}: the nth of its like between two nodes, so that none is doubled
UNWIND $rows AS row
MATCH (a:Memory {id: row.from})
MATCH (b:Memory {id: row.to})
WHERE a.agent = $agent AND b.agent = $agent
// Locks the node, so that two imports at once do not both find it missing.
SET a.agent = a.agent
WITH a, b, row
WHERE COUNT { (a)-[r:NEXT|LINKS|SUPERSEDES|SUMMARISES|SIMILAR|AMENDS]->(b) WHERE type(r) = $type } < row.nth
FOREACH (_ IN CASE $type WHEN 'NEXT' THEN [1] ELSE [] END |
  CREATE (a)-[r:NEXT]->(b) SET r = row.properties)
FOREACH (_ IN CASE $type WHEN 'LINKS' THEN [1] ELSE [] END |
  CREATE (a)-[r:LINKS]->(b) SET r = row.properties)
FOREACH (_ IN CASE $type WHEN 'SUPERSEDES' THEN [1] ELSE [] END |
  CREATE (a)-[r:SUPERSEDES]->(b) SET r = row.properties)
FOREACH (_ IN CASE $type WHEN 'SUMMARISES' THEN [1] ELSE [] END |
  CREATE (a)-[r:SUMMARISES]->(b) SET r = row.properties)
FOREACH (_ IN CASE $type WHEN 'SIMILAR' THEN [1] ELSE [] END |
  CREATE (a)-[r:SIMILAR]->(b) SET r = row.properties)
FOREACH (_ IN CASE $type WHEN 'AMENDS' THEN [1] ELSE [] END |
  CREATE (a)-[r:AMENDS]->(b) SET r = row.properties)
