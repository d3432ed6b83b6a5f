// Live memories that a set of patterns has not seen, a page at a time.
// $agent  whose
// $mark   what names the patterns
// $after  the last id of the page before
// $limit  rows to return
MATCH (m:Memory)
USING INDEX m:Memory(agent, id)
WHERE m.agent = $agent AND m.id > $after
  AND m.live = true AND NOT m.pinned AND coalesce(m.sleep_guard <> $mark, true)
RETURN m.id AS id, m.version AS version, m.text AS text, m.title AS title
ORDER BY m.agent, m.id
LIMIT $limit
