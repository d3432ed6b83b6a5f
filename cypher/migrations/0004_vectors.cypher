// Meaning: a memory alone, and in the context of what came before it.
// The search filters on the properties named in WITH, by AND of plain comparisons only.
// $dimensions  length of the store's embeddings
CREATE VECTOR INDEX memory_embedding IF NOT EXISTS
FOR (m:Memory) ON m.embedding
WITH [m.agent, m.live, m.kind, m.event_at, m.valid_from, m.valid_until]
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}};

CREATE VECTOR INDEX memory_context_embedding IF NOT EXISTS
FOR (m:Memory) ON m.context_embedding
WITH [m.agent, m.live, m.kind, m.event_at, m.valid_from, m.valid_until]
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}};
