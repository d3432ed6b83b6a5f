// Memories in full, for those that are in the answer.
// $agents  whose
// $ids     which
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WHERE m.agent IN $agents AND m.live = true
RETURN ['memory', 'sources'] AS columns, collect([
  m {
    .*, embedding: null, context_embedding: null,
    session: head([(m)-[:IN_SESSION]->(s:Session) | s.id])
  },
  [(m)-[:SUMMARISES]->(source:Memory) | source.id]
]) AS rows
