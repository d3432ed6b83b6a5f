// The embedder and language of this store's vectors, and what it is on its way to; no row in a new store.
// scope: all agents
MATCH (s:EmbeddingSpace {name: 'store'})
RETURN
  s.model AS model, s.dimensions AS dimensions, s.language AS language,
  s.becoming_model AS becoming_model, s.becoming_dimensions AS becoming_dimensions,
  coalesce(s.unfinished, false) AS unfinished
