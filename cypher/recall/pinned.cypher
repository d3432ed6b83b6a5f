// What is pinned, which is in every answer: memories in full, moments as text, and the paths of files.
// $agent   whose files
// $agents  whose memories: the asker's, and the shared ones when they may be read
CALL () {
  MATCH (m:Memory)
  WHERE m.agent IN $agents AND m.pinned = true AND m.live = true
  WITH m
  ORDER BY m.created_at, m.id
  RETURN collect(m {
    .id, .agent, .text, .kind, .scope, .importance, .authority, .live, .version, .context, .title, .pinned, .lasting, .evergreen,
    .source, .trust, .quarantined, .said, .retrievals, .seen, .task_id, .speaker, .path, .line_from, .line_to, .confidence,
    .decay_rate, .method,
    created_at: toString(m.created_at), event_at: toString(m.event_at), event_until: toString(m.event_until),
    valid_from: toString(m.valid_from), valid_until: toString(m.valid_until), expires_at: toString(m.expires_at),
    last_retrieved_at: toString(m.last_retrieved_at), last_seen_at: toString(m.last_seen_at),
    session: head([(m)-[:IN_SESSION]->(s:Session) | s.id])
  }) AS memories
}
RETURN memories, COLLECT {
  MATCH (f:Folder)
  WHERE f.agent = $agent AND f.pinned_at IS NOT NULL
  RETURN f.path ORDER BY f.path
} AS files
