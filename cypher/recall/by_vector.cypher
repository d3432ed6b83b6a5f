// Memories nearest to a question, each alone, closest first, and the vectors of the very nearest.
// $vector  the question's embedding
// $nearest how many come with their vectors
// $limit   rows to return, and the width of the search
// $agents  whose memories: the asker's, and the shared ones when they may be read
// $kinds   of these kinds
// $since   that happened then or later, and before $until
// $as_of   that held then
MATCH (m:Memory)
SEARCH m IN (
  VECTOR INDEX memory_embedding FOR $vector
  WHERE m.agent IN $agents AND m.live = true AND m.kind IN $kinds
    AND m.event_at >= $since AND m.event_at < $until
    AND m.valid_from <= $as_of AND m.valid_until > $as_of
  LIMIT $limit
) SCORE AS score
WITH collect({m: m, score: score}) AS found
RETURN ['id', 'score', 'embedding'] AS columns, [
  at IN range(0, size(found) - 1) |
  [
    found[at].m.id, found[at].score,
    CASE WHEN at < $nearest THEN vector(found[at].m.embedding, size(found[at].m.embedding), FLOAT32) END
  ]
] AS rows
