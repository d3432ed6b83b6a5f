// Entities a question names, by key; one that was merged stands for what it became.
// $agents  whose entities
// $keys    keys that parts of the question would have
MATCH (named:Entity)
WHERE named.key IN $keys AND named.agent IN $agents
OPTIONAL MATCH (named)-[:MERGED_INTO*1..5]->(now:Entity)
WHERE NOT (now)-[:MERGED_INTO]->()
WITH named.key AS asked, coalesce(now, named) AS e
RETURN asked, e.key AS key, e.name AS name, count { (e)<-[:MENTIONS]-() } AS degree
