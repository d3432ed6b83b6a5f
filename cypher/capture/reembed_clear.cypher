// Take the vectors off a page of memories; the last id of the page, and none when there is no more.
// scope: all agents
// $after       the last id of the page before
// $limit       memories of a page
// $model       the embedder the store is to become
// $dimensions  length of its vectors
MERGE (space:EmbeddingSpace {name: 'store'}) // a shared lock: the space stays as it is
WITH space
WHERE space.becoming_model = $model AND space.becoming_dimensions = $dimensions
MATCH (m:Memory)
USING INDEX m:Memory(id)
WHERE m.id > $after
WITH m ORDER BY m.id LIMIT $limit
REMOVE m.embedding, m.halves
RETURN max(m.id) AS last, count(m) AS cleared
