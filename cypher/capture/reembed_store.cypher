// Give memories their vectors, unless the store is no longer, or a memory has changed, as it was read.
// scope: all agents
// $model       the embedder they are of
// $dimensions  their length
// $rows        {id, version, embedding, halves}
MERGE (space:EmbeddingSpace {name: 'store'}) // a shared lock: the space stays as it is
WITH space
WHERE space.model = $model AND space.dimensions = $dimensions AND space.becoming_model IS NULL
CALL () {
  UNWIND $rows AS row
  MATCH (m:Memory {id: row.id})
  WHERE coalesce(m.version, 0) = row.version AND m.halves IS NULL
  CALL db.create.setNodeVectorProperty(m, 'embedding', row.embedding)
  SET m.halves = row.halves
  RETURN count(m) AS stored
}
RETURN stored
