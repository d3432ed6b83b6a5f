// All that an entity is joined to: memories that name it, entities it stands in relation to.
// $agent  whose
// $key    of the entity
MATCH (e:Entity {key: $key})
WHERE e.agent = $agent
CALL (e) {
  MATCH (e)<-[r:MENTIONS|ABOUT]-(m:Memory)
  RETURN type(r) AS type, m.id AS memory, null AS entity, false AS outward,
    coalesce(r.confidence, 1.0) AS confidence, null AS properties
  UNION ALL
  MATCH (e)-[r:RELATES]-(n:Entity)
  RETURN type(r) AS type, null AS memory, n.key AS entity, startNode(r) = e AS outward,
    coalesce(r.confidence, 1.0) AS confidence, properties(r) AS properties
}
RETURN type, memory, entity, outward, confidence, properties
ORDER BY type, memory, entity
