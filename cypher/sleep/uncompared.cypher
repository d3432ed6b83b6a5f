// Live memories that a phase has not compared yet, a page at a time.
// $agent  whose
// $mark   property that says that the phase has looked
// $kinds  of these kinds
// $after  the last id of the page before
// $limit  rows to return
MATCH (m:Memory)
USING INDEX m:Memory(agent, id)
WHERE m.agent = $agent AND m.id > $after
  AND m.live = true AND NOT m.pinned AND m.kind IN $kinds AND m[$mark] IS NULL AND m.embedding IS NOT NULL
RETURN m.id AS id, m.version AS version
ORDER BY m.agent, m.id
LIMIT $limit
