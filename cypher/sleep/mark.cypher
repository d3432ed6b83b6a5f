// Note what a phase has looked at; that is no change.
// $agent   whose memories
// $mark    name of the property
// $value   its value
// $ids     of memories
// $keys    of entities
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {id: id})
  WHERE m.agent = $agent
  SET m[$mark] = $value
  RETURN count(m) AS memories
}
CALL () {
  UNWIND $keys AS key
  MATCH (e:Entity {key: key})
  WHERE e.agent = $agent
  SET e[$mark] = $value
  RETURN count(e) AS entities
}
RETURN memories, entities
