// Memories nearest to a question, of some kinds or of some time, closest first.
// $vector  the question's embedding
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
RETURN ['id', 'score'] AS columns, collect([m.id, score]) AS rows
