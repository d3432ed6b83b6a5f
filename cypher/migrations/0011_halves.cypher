// Vectors are kept a second time to be compared, in half precision: alone, then in context, which has no other place.
// An older store's are made by `neomem reembed`; until then recall answers from words and graph, and says so.
MATCH (s:EmbeddingSpace {name: 'store'})
WHERE EXISTS { MATCH (m:Memory) WHERE m.embedding IS NOT NULL AND m.halves IS NULL }
SET s.unfinished = true;

MATCH (m:Memory)
WHERE m.context_embedding IS NOT NULL
REMOVE m.context_embedding;
