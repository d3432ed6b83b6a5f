// Every memory has its vectors: meaning can be searched again.
// scope: all agents
// $model       the embedder they are of
// $dimensions  length of its vectors
MATCH (s:EmbeddingSpace {name: 'store', model: $model, dimensions: $dimensions})
WHERE s.becoming_model IS NULL
REMOVE s.unfinished
RETURN s.model AS model
