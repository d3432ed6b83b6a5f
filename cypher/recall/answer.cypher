// An answer in full: the memories found, neighbours of the best of them, and what is pinned, which is in every answer.
// Moments come as text, which is read faster; what is returned is live, so nothing is told of archiving.
// $ids     those found
// $near    the best of them, whose neighbours may come along: linked by their author, alike, said before or after
// $limit   neighbours each may give
// $agent   whose pinned files
// $agents  whose memories: the asker's, and the shared ones when they may be read
// $kinds   neighbours of these kinds
// $since   that happened then or later, and before $until
// $as_of   that held then
// $session key of the session they were said in, or null
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {id: id})
  WHERE m.agent IN $agents AND m.live = true
  RETURN m, null AS id, null AS edge
  UNION
  UNWIND $near AS id
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
  RETURN m, id, edge
  UNION
  MATCH (m:Memory)
  WHERE m.agent IN $agents AND m.pinned = true AND m.live = true
  RETURN m, null AS id, 'PINNED' AS edge
}
WITH id, edge, m {
  .id, .agent, .text, .kind, .scope, .importance, .authority, .live, .version, .context, .title, .pinned, .lasting, .evergreen,
  .source, .trust, .quarantined, .said, .retrievals, .seen, .task_id, .speaker, .path, .line_from, .line_to, .confidence,
  .decay_rate, .method,
  created_at: toString(m.created_at), event_at: toString(m.event_at), event_until: toString(m.event_until),
  valid_from: toString(m.valid_from), valid_until: toString(m.valid_until), expires_at: toString(m.expires_at),
  last_retrieved_at: toString(m.last_retrieved_at), last_seen_at: toString(m.last_seen_at),
  session: head([(m)-[:IN_SESSION]->(s:Session) | s.id])
} AS memory, [(m)-[:SUMMARISES]->(source:Memory) | source.id] AS sources
WITH collect([id, edge, memory, sources]) AS rows
RETURN ['id', 'edge', 'memory', 'sources'] AS columns, rows, COLLECT {
  MATCH (f:Folder)
  WHERE f.agent = $agent AND f.pinned_at IS NOT NULL
  RETURN f.path ORDER BY f.path
} AS files
