// The old vectors are gone and the indexes made anew: those written from now on are the new embedder's.
// scope: all agents
// $model       the new embedder
// $dimensions  length of its vectors
MATCH (s:EmbeddingSpace {name: 'store', becoming_model: $model, becoming_dimensions: $dimensions})
SET s.model = $model, s.dimensions = $dimensions
REMOVE s.becoming_model, s.becoming_dimensions
RETURN s.model AS model
