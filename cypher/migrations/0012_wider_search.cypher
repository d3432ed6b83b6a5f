// Questions lie apart from what answers them, so the search has to look wider than by default to miss little:
// of the twenty nearest among 100,000 it found .63 with the defaults, .98 with these (docs/speed.md).
// $dimensions  length of the store's embeddings
DROP INDEX memory_embedding IF EXISTS;

CREATE VECTOR INDEX memory_embedding IF NOT EXISTS
FOR (m:Memory) ON m.embedding
WITH [m.agent, m.live, m.kind, m.event_at, m.valid_from, m.valid_until]
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'BINARY',
  `vector.hnsw.m`: 32, `vector.hnsw.ef_construction`: 400, `vector.default_search_expansion_factor`: 25.0
}};
