// Remember the embedder and language of a new store; the first to say it wins.
// scope: all agents
MERGE (s:EmbeddingSpace {name: 'store'})
ON CREATE SET s.model = $model, s.dimensions = $dimensions, s.language = $language
RETURN s.model AS model, s.dimensions AS dimensions, s.language AS language
