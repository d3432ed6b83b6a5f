// Memories nearest to new ones, to see whether one of them says the same.
// $agent  whose memories
// $rows   {id, vector}
// $kinds  kinds that can be duplicates of one another
UNWIND $rows AS row
CALL (row) {
  MATCH (m:Memory)
  SEARCH m IN (
    VECTOR INDEX memory_embedding FOR row.vector
    WHERE m.agent = $agent AND m.live = true AND m.kind IN $kinds
    LIMIT 3
  ) SCORE AS score
  RETURN m.id AS near, m.text AS text, m.identity AS identity, score
}
RETURN row.id AS id, near, text, identity, score
