// What scoring looks at, for memories that were found and for the turns beside the best of them; `nearest` tells the same.
// Vectors come as they are kept for this, in half precision: comparing them here would take the longest of all.
// $ids      memories that were found
// $lenders  the best of them, whose neighbouring turns come too; it is told what they name, and of a summary its sources
// $agents   whose memories: the asker's, and the shared ones when they may be read
// $kinds    of these kinds
// $since    that happened then or later, and before $until
// $as_of    that held then
// $session  key of the session they were said in, or null
WITH $lenders AS lenders
CALL (lenders) {
  UNWIND $ids AS id
  MATCH (m:Memory {id: id})
  RETURN m
  UNION
  UNWIND lenders AS id
  MATCH (:Memory {id: id})-[:NEXT]-(m:Memory)
  RETURN m
}
WITH m, lenders
WHERE m.agent IN $agents AND m.live = true AND m.kind IN $kinds
  AND m.event_at >= $since AND m.event_at < $until
  AND m.valid_from <= $as_of AND m.valid_until > $as_of
  AND (m.expires_at IS NULL OR m.expires_at > $as_of)
  AND ($session IS NULL OR m.session_key = $session)
RETURN [
  'id', 'text', 'kind', 'scope', 'event_at', 'evergreen', 'pinned', 'lasting', 'trust', 'authority', 'retrievals',
  'decay_rate', 'task_id', 'path', 'title', 'speaker', 'session', 'turn_order', 'created_at', 'beside',
  'about', 'names', 'amends', 'halves', 'sources'
] AS columns, collect([
  m.id, m.text, m.kind, m.scope, m.event_at.epochMillis / 1000.0, m.evergreen, m.pinned, m.lasting, m.trust, m.authority,
  m.retrievals, m.decay_rate, m.task_id, m.path, m.title, m.speaker, m.session_key, m.turn_order,
  m.created_at.epochMillis / 1000.0, [(m)-[way:NEXT]-(other:Memory) | [startNode(way) = m, other.id]],
  [(m)-[:ABOUT]->(e:Entity) | e.key],
  CASE WHEN m.id IN lenders THEN [
    (m)-[:MENTIONS]->(e:Entity) WHERE e.agent IN $agents AND NOT EXISTS { (e)-[:MERGED_INTO]->() } |
    [e.key, e.name, count { (e)<-[:MENTIONS]-() }]
  ] ELSE [] END,
  [(m)-[:AMENDS]->(older:Memory) | [older.id] + [(older)<-[:SUMMARISES]-(sum:Memory) | sum.id]],
  m.halves,
  CASE WHEN m.kind = 'summary' AND m.id IN lenders THEN [
    (m)-[:SUMMARISES]->(source:Memory) WHERE source.halves IS NOT NULL AND NOT source.quarantined |
    [source.id, source.text, source.speaker, source.halves]
  ] ELSE [] END
]) AS rows
