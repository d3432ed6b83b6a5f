// What speaks for two entities being one: others named beside both, and how many texts name both.
// Only some of a hub's memories are looked at.
// $agent  whose
// $pairs  [key, key]
UNWIND $pairs AS pair
MATCH (one:Entity {key: pair[0]})
MATCH (other:Entity {key: pair[1]})
WHERE one.agent = $agent AND other.agent = $agent
CALL (one) {
  MATCH (one)<-[:MENTIONS]-(m:Memory)
  WITH m LIMIT 200
  MATCH (m)-[:MENTIONS]->(n:Entity)
  RETURN collect(DISTINCT n.key) AS beside_one, collect(DISTINCT m.id) AS in_one
}
CALL (other) {
  MATCH (other)<-[:MENTIONS]-(m:Memory)
  WITH m LIMIT 200
  MATCH (m)-[:MENTIONS]->(n:Entity)
  RETURN collect(DISTINCT n.key) AS beside_other, collect(DISTINCT m.id) AS in_other
}
RETURN pair[0] AS one, pair[1] AS other,
  size([key IN beside_one WHERE key IN beside_other AND NOT key IN pair]) AS shared,
  size([id IN in_one WHERE id IN in_other]) AS together
