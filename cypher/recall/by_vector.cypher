// Memories nearest to a question, each alone, closest first; the very nearest with their vectors and how they begin.
// $vector  the question's embedding
// $nearest how many come with their vectors
// $read    characters that are read of them
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
WITH collect({
  m: m, score: score, subject: NOT m.kind IN ['turn', 'summary'] AND EXISTS { (m)-[:ABOUT]->(:Entity) }
}) AS found
RETURN ['id', 'score', 'subject', 'text', 'embedding'] AS columns, [
  hit IN found[..$nearest] |
  [
    hit.m.id, hit.score, hit.subject, left(hit.m.text, $read),
    vector(hit.m.embedding, size(hit.m.embedding), FLOAT32)
  ]
] + [hit IN found[$nearest..] | [hit.m.id, hit.score, hit.subject, null, null]] AS rows
