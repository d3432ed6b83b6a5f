// Memories nearest to a question by looking at all of them: slow, for while an index is not there.
// $vector  the question's embedding
// $limit   rows to return
// $agents  whose memories: the asker's, and the shared ones when they may be read
// $kinds   of these kinds, or null
// $since   that happened then or later, and before $until; either may be null
// $as_of   that held then
// $session key of the session they were said in, or null
MATCH (m:Memory)
WHERE m.agent IN $agents AND m.live = true AND ($kinds IS NULL OR m.kind IN $kinds)
  AND ($since IS NULL OR m.event_at >= $since) AND ($until IS NULL OR m.event_at < $until)
  AND m.valid_from <= $as_of AND m.valid_until > $as_of
  AND ($session IS NULL OR m.session_key = $session)
  AND m.embedding IS NOT NULL
WITH m, vector.similarity.cosine(m.embedding, $vector) AS score
ORDER BY score DESC, m.id
LIMIT $limit
RETURN ['id', 'score'] AS columns, collect([m.id, score]) AS rows
