// Entities that memories name, and how many name each.
// $agents  whose
// $ids     memories
UNWIND $ids AS id
MATCH (m:Memory {id: id})-[mention:MENTIONS]->(e:Entity)
WHERE m.agent IN $agents AND e.agent IN $agents AND NOT EXISTS { (e)-[:MERGED_INTO]->() }
RETURN ['id', 'key', 'name', 'confidence', 'about', 'degree'] AS columns, collect([
  id, e.key, e.name, coalesce(mention.confidence, 1.0), exists { (m)-[:ABOUT]->(e) }, count { (e)<-[:MENTIONS]-() }
]) AS rows
