// Live memories nearest to some, with what it takes to compare their statements.
// $agent  whose
// $ids    which
// $kinds  of these kinds
// $limit  rows for each
UNWIND $ids AS id
MATCH (one:Memory {id: id})
WHERE one.agent = $agent AND one.embedding IS NOT NULL
CALL (one) {
  MATCH (m:Memory)
  SEARCH m IN (
    VECTOR INDEX memory_embedding FOR one.embedding
    WHERE m.agent = $agent AND m.live = true AND m.kind IN $kinds
    LIMIT $limit
  ) SCORE AS score
  RETURN m, score
}
WITH id, one, m, score
WHERE m <> one AND NOT m.pinned AND m.trust > 0 AND m.valid_until.year = 9999
RETURN id AS of, m.id AS id, m.version AS version, m.text AS text, m.kind AS kind, m.speaker AS speaker,
  m.event_at AS event_at, m.turn_order AS turn_order, m.created_at AS created_at, m.valid_from AS valid_from,
  m.valid_until AS valid_until
ORDER BY of, score DESC, id
