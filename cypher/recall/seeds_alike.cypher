// Entities whose name or alias is like one a question names, most alike first.
// $agents  whose entities
// $query   names in Lucene's language, made by us, with the agents as one token each
// $limit   rows to return
CALL db.index.fulltext.queryNodes('entity_names', $query, {limit: $limit}) YIELD node AS named, score
WHERE named.agent IN $agents
OPTIONAL MATCH (named)-[:MERGED_INTO*1..5]->(now:Entity)
WHERE NOT (now)-[:MERGED_INTO]->()
WITH coalesce(now, named) AS e, named, score
RETURN e.key AS key, e.name AS name, named.aliases AS aliases, count { (e)<-[:MENTIONS]-() } AS degree
