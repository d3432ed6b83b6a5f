// Which memories of a file the store has already; of another agent's nothing but that the id is taken.
// $agent  whose
// $rows   {id, dedupe_key}
UNWIND $rows AS row
OPTIONAL MATCH (m:Memory {id: row.id})
OPTIONAL MATCH (d:Memory {dedupe_key: row.dedupe_key})
WHERE d.id <> row.id
WITH row, m, d
WHERE m IS NOT NULL OR d IS NOT NULL
RETURN
  row.id AS id,
  m IS NOT NULL AND m.agent <> $agent AS foreign,
  CASE WHEN m.agent = $agent THEN m.text END AS text,
  d IS NOT NULL AS doubled
