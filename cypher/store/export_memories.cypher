// An agent's memories in the order of their ids, a page at a time.
// $agent       whose
// $after       the last id of the page before
// $embeddings  whether the vectors are wanted
// $limit       rows to return
MATCH (m:Memory)
USING INDEX m:Memory(id)
WHERE m.id > $after AND m.agent = $agent
WITH m ORDER BY m.id LIMIT $limit
RETURN
  m.id AS key,
  CASE
    WHEN $embeddings THEN properties(m)
    ELSE m {.*, embedding: null, halves: null}
  END AS properties
ORDER BY key
