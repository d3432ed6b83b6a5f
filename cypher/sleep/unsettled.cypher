// Live memories whose statements were not compared yet, a page at a time.
// $agent  whose
// $kinds  of these kinds
// $after  the last id of the page before
// $limit  rows to return
MATCH (m:Memory)
USING INDEX m:Memory(agent, id)
WHERE m.agent = $agent AND m.id > $after AND m.live = true AND NOT m.pinned AND m.kind IN $kinds
  AND m.sleep_conflicts IS NULL AND m.trust > 0 AND m.valid_until.year = 9999
RETURN m.id AS id, m.version AS version, m.text AS text, m.kind AS kind, m.speaker AS speaker,
  m.event_at AS event_at, m.turn_order AS turn_order, m.created_at AS created_at, m.valid_from AS valid_from,
  m.valid_until AS valid_until
ORDER BY m.agent, m.id
LIMIT $limit
