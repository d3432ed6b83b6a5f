// A page of memories that have no vector, with all that one is made of.
// scope: all agents
// $after  the last id of the page before
// $limit  rows to return
MATCH (m:Memory)
USING INDEX m:Memory(id)
WHERE m.id > $after AND m.halves IS NULL
RETURN
  m.id AS id, coalesce(m.version, 0) AS version, m.text AS text, m.title AS title, m.kind AS kind,
  coalesce(m.context, '') AS context, m.turn_order AS turn_order
ORDER BY id
LIMIT $limit
