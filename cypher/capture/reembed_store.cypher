// Give memories their vectors, unless the store is no longer, or a memory has changed, as it was read.
// scope: all agents
// $model       the embedder they are of
// $dimensions  their length
// $rows        {id, version, embedding, context_embedding}
MERGE (space:EmbeddingSpace {name: 'store'}) // a shared lock: the space stays as it is
WITH space
WHERE space.model = $model AND space.dimensions = $dimensions AND space.becoming_model IS NULL
CALL () {
  UNWIND $rows AS row
  MATCH (m:Memory {id: row.id})
  WHERE coalesce(m.version, 0) = row.version AND m.embedding IS NULL
  CALL db.create.setNodeVectorProperty(m, 'embedding', row.embedding)
  WITH m, row
  CALL (m, row) {
    WITH m, row
    WHERE row.context_embedding IS NOT NULL
    CALL db.create.setNodeVectorProperty(m, 'context_embedding', row.context_embedding)
  }
  RETURN count(m) AS stored
}
RETURN stored
