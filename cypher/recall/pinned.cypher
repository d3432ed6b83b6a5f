// The pinned memories, oldest first: they are in every answer.
// $agents  whose
MATCH (m:Memory)
WHERE m.agent IN $agents AND m.pinned = true AND m.live = true
RETURN
  m {
    .*, embedding: null, context_embedding: null,
    session: head([(m)-[:IN_SESSION]->(s:Session) | s.id])
  } AS memory
ORDER BY m.created_at, m.id
