// Memories that have words, by BM25, best first; kinds and times are looked at after the search.
// $index  memory_words (stemmed) or memory_tokens (as written)
// $query  terms in Lucene's language, made by us, with the agents as one token each
// $width  how many the search may find
// $limit  how many of them to return, beside how many were seen
// $agents  whose memories: the asker's, and the shared ones when they may be read
// $kinds   of these kinds, or null
// $since   that happened then or later, and before $until; either may be null
// $as_of   that held then
// $session key of the session they were said in, or null
CALL db.index.fulltext.queryNodes($index, $query, {limit: $width}) YIELD node AS m, score
WITH m, score,
  m.agent IN $agents AND m.live = true AND ($kinds IS NULL OR m.kind IN $kinds)
  AND ($since IS NULL OR m.event_at >= $since) AND ($until IS NULL OR m.event_at < $until)
  AND m.valid_from <= $as_of AND m.valid_until > $as_of
  AND ($session IS NULL OR m.session_key = $session) AS wanted
RETURN count(m) AS seen,
  collect(CASE WHEN wanted THEN {id: m.id, score: score} END)[..$limit] AS found
