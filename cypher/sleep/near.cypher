// Live memories nearest to some.
// $agent  whose
// $ids    which
// $kinds  of these kinds
// $limit  rows for each
UNWIND $ids AS id
MATCH (one:Memory {id: id})
WHERE one.agent = $agent
CALL (one) {
  MATCH (m:Memory)
  SEARCH m IN (
    VECTOR INDEX memory_embedding FOR one.embedding
    WHERE m.agent = $agent AND m.live = true AND m.kind IN $kinds
    LIMIT $limit
  ) SCORE AS score
  RETURN m.id AS near, m.version AS version, score, m.pinned AS pinned,
    EXISTS { (one)-[:SIMILAR]-(m) } AS joined
}
WITH id, near, version, score, pinned, joined
WHERE NOT pinned
RETURN id, near, version, score, joined
