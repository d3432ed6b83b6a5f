// Entities that memories name, and how many name each.
// $agents  whose
// $ids     memories
UNWIND $ids AS id
MATCH (m:Memory {id: id})-[mention:MENTIONS]->(e:Entity)
WHERE m.agent IN $agents AND e.agent IN $agents AND NOT EXISTS { (e)-[:MERGED_INTO]->() }
RETURN id, e.key AS key, e.name AS name, coalesce(mention.confidence, 1.0) AS confidence,
  exists { (m)-[:ABOUT]->(e) } AS about, count { (e)<-[:MENTIONS]-() } AS degree
