// Entities that stand in a relation to others, at a time.
// $agents    whose
// $entities  keys
// $as_of     relations that held then
// $limit     relations an entity may give
UNWIND $entities AS key
MATCH (e:Entity {key: key})
WHERE e.agent IN $agents
CALL (e) {
  MATCH (e)-[r:RELATES]-(other:Entity)
  WHERE other.agent IN $agents AND NOT EXISTS { (other)-[:MERGED_INTO]->() }
    AND coalesce(r.valid_from, $as_of) <= $as_of AND coalesce(r.valid_until > $as_of, true)
  RETURN other, r
  ORDER BY coalesce(r.confidence, 1.0) DESC, other.key
  LIMIT $limit
}
RETURN e.key AS from, other.key AS key, other.name AS name, r.type AS type, coalesce(r.confidence, 1.0) AS confidence,
  count { (other)<-[:MENTIONS]-() } AS degree
