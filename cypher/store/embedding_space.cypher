// The embedder and language this store was made with; no row in a new store.
// scope: all agents
MATCH (s:EmbeddingSpace {name: 'store'})
RETURN s.model AS model, s.dimensions AS dimensions, s.language AS language
