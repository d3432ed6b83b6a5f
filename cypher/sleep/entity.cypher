// An entity, or what it was merged into.
// $agent  whose
// $key    of the entity
MATCH (named:Entity {key: $key})
WHERE named.agent = $agent
OPTIONAL MATCH (named)-[:MERGED_INTO*1..5]->(now:Entity)
WHERE NOT (now)-[:MERGED_INTO]->()
WITH coalesce(now, named) AS e
RETURN e.key AS key, e.name AS name, e.type AS type, e.aliases AS aliases, count { (e)<-[:MENTIONS]-() } AS mentions
