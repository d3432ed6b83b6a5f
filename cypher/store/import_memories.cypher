// Bring back memories as they were; one that is there already is left as it is.
// $agent  whose
// $rows   {id, properties, embedding, halves}
// $model, $dimensions  of the vectors, which are left out when the store has become another's
MERGE (space:EmbeddingSpace {name: 'store'}) // a shared lock: the store's embedder stays what it is
WITH space.model = $model AND space.dimensions = $dimensions AND space.becoming_model IS NULL AS fitting
UNWIND $rows AS row
MERGE (m:Memory {id: row.id})
ON CREATE SET m += row.properties, m.id = row.id, m.agent = $agent
WITH m, row, fitting
WHERE m.agent = $agent AND fitting
  AND row.embedding IS NOT NULL
CALL db.create.setNodeVectorProperty(m, 'embedding', row.embedding)
SET m.halves = row.halves
