// Live memories that were not read again since they were captured, with what they are joined to.
// $agent  whose
// $after  the last id of the page before
// $limit  rows to return
MATCH (m:Memory)
USING INDEX m:Memory(agent, id)
WHERE m.agent = $agent AND m.id > $after AND m.live = true AND NOT m.pinned AND m.trust > 0
  AND m.sleep_extract IS NULL AND m.kind <> 'summary'
WITH m ORDER BY m.agent, m.id LIMIT $limit
RETURN m.id AS id, m.version AS version, m.text AS text, m.speaker AS speaker, m.event_at AS event_at,
  m.valid_from AS valid_from, [(m)-[:MENTIONS]->(e:Entity) | e.key] AS mentions,
  [(m)-[:ABOUT]->(e:Entity) | e.key] AS about,
  COLLECT { MATCH (m)-[:MENTIONS]->(:Entity)-[r:RELATES]->() WHERE r.memory = m.id RETURN r.id } AS relations
ORDER BY m.agent, m.id
