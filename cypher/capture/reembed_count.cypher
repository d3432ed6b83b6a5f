// How many memories have no vector.
// scope: all agents
MATCH (m:Memory)
WHERE m.embedding IS NULL
RETURN count(m) AS lacking
