// Memories one step from those found: linked by their author, alike, or said before or after.
// $ids    those found
// $limit  neighbours each may give
// $agents  whose memories: the asker's, and the shared ones when they may be read
// $kinds   of these kinds
// $since   that happened then or later, and before $until
// $as_of   that held then
// $session key of the session they were said in, or null
UNWIND $ids AS id
MATCH (found:Memory {id: id})
WHERE found.agent IN $agents
CALL (found) {
  MATCH (found)-[edge:LINKS|SIMILAR|NEXT]-(m:Memory)
  WHERE m.agent IN $agents AND m.live = true AND m.kind IN $kinds
    AND m.event_at >= $since AND m.event_at < $until
    AND m.valid_from <= $as_of AND m.valid_until > $as_of
    AND (m.expires_at IS NULL OR m.expires_at > $as_of)
    AND ($session IS NULL OR m.session_key = $session)
  RETURN m, type(edge) AS edge
  ORDER BY edge, m.id
  LIMIT $limit
}
RETURN ['id', 'edge', 'beside', 'memory', 'sources'] AS columns, collect([
  id, edge, m.id,
  m {
    .*, embedding: null, context_embedding: null,
    session: head([(m)-[:IN_SESSION]->(s:Session) | s.id])
  },
  [(m)-[:SUMMARISES]->(source:Memory) | source.id]
]) AS rows
