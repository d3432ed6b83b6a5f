// The newest memories, newest first
// $agent  whose memories
MATCH (m:Memory)
WHERE m.agent = $agent AND m.live = true
WITH m
ORDER BY m.created_at DESC, m.id DESC
LIMIT 50
RETURN
  m.created_at AS captured,
  m.kind AS kind,
  m.text AS text,
  COLLECT { MATCH (m)-[:MENTIONS]->(e:Entity) WHERE e.agent = $agent RETURN e.name ORDER BY e.name } AS names,
  m.id AS id
ORDER BY captured DESC, id DESC
