// How many memories have no vector.
// scope: all agents
MATCH (m:Memory)
WHERE m.halves IS NULL
RETURN count(m) AS lacking
