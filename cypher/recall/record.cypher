// Note that memories were recalled, each once an answer.
// $agents  whose
// $rows    {id, times, at}
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
WHERE m.agent IN $agents
SET m.retrievals = coalesce(m.retrievals, 0) + row.times, m.last_retrieved_at = row.at
