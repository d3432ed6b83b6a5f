// Begin to change the store's embedder: from now on nobody writes vectors until the old ones are gone.
// scope: all agents
// $model       the new embedder
// $dimensions  length of its vectors
MATCH (s:EmbeddingSpace {name: 'store'})
// The name is changed and changed back: that waits for every capture under way, which holds a shared
// lock on the name, as no other change does.
SET s.name = 'leaving'
SET s.name = 'store', s.becoming_model = $model, s.becoming_dimensions = $dimensions, s.unfinished = true
