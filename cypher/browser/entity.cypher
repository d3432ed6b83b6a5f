// An entity: the newest memories that name it, and what else they name
// $agent  whose memories
// $name   of the entity, or one of its other names
MATCH (e:Entity)
WHERE e.agent = $agent
  AND any(name IN [e.name] + coalesce(e.aliases, []) WHERE toLower(name) = toLower($name))
CALL (e) {
  OPTIONAL MATCH (m:Memory)-[tie:MENTIONS|ABOUT]->(e)
  WHERE m.agent = $agent AND m.live = true
  WITH m, collect(tie) AS ties
  ORDER BY m.event_at DESC, m.id DESC
  LIMIT 25
  RETURN m, ties, COLLECT {
    MATCH path = (m)-[:MENTIONS]->(other:Entity)
    WHERE other.agent = $agent AND other <> e
    RETURN path LIMIT 10
  } AS others
}
RETURN e, ties, m, others, COLLECT {
  MATCH path = (e)-[:RELATES|MERGED_INTO]-(beside:Entity)
  WHERE beside.agent = $agent
  RETURN path LIMIT 25
} AS facts
