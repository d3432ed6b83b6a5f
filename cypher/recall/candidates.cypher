// Memories that were found and the turns beside the best of them: all that an answer has of them, and then what scoring looks
// at; `nearest` tells the same. Moments come as text, which is read faster. Vectors come as they are kept for this, in half
// precision: comparing them here would take the longest of all.
// $ids      memories that were found
// $lenders  the best of them, whose neighbouring turns come too; it is told what they name, and of a summary its sources
// $agents   whose memories: the asker's, and the shared ones when they may be read
// $kinds    of these kinds, or null
// $since    that happened then or later, and before $until; either may be null
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
WHERE m.agent IN $agents AND m.live = true AND ($kinds IS NULL OR m.kind IN $kinds)
  AND ($since IS NULL OR m.event_at >= $since) AND ($until IS NULL OR m.event_at < $until)
  AND m.valid_from <= $as_of AND m.valid_until > $as_of
  AND (m.expires_at IS NULL OR m.expires_at > $as_of)
  AND ($session IS NULL OR m.session_key = $session)
RETURN [
  'id', 'agent', 'text', 'kind', 'scope', 'importance', 'authority', 'live', 'version', 'context', 'title', 'pinned', 'lasting',
  'evergreen', 'source', 'trust', 'quarantined', 'said', 'retrievals', 'seen', 'task_id', 'speaker', 'path', 'line_from',
  'line_to', 'confidence', 'decay_rate', 'method', 'created_at', 'event_at', 'event_until', 'valid_from',
  'valid_until', 'expires_at', 'last_retrieved_at', 'last_seen_at', 'captured', 'happened', 'session_key', 'turn_order', 'halves',
  'ties', 'names', 'sources'
] AS columns, collect([
  m.id, m.agent, m.text, m.kind, m.scope, m.importance, m.authority, m.live, m.version, m.context, m.title, m.pinned, m.lasting,
  m.evergreen, m.source, m.trust, m.quarantined, m.said, m.retrievals, m.seen, m.task_id, m.speaker, m.path, m.line_from,
  m.line_to, m.confidence, m.decay_rate, m.method, toString(m.created_at),
  toString(m.event_at), toString(m.event_until), toString(m.valid_from), toString(m.valid_until), toString(m.expires_at),
  toString(m.last_retrieved_at), toString(m.last_seen_at),
  m.created_at.epochMillis / 1000.0, m.event_at.epochMillis / 1000.0, m.session_key, m.turn_order, m.halves,
  [(m)-[tie:ABOUT|AMENDS|IN_SESSION|LINKS|NEXT|SIMILAR|SUMMARISES]-(other) |
    [type(tie), startNode(tie) = m, coalesce(other.id, other.key)]],
  CASE WHEN m.id IN lenders THEN [
    (m)-[:MENTIONS]->(e:Entity) WHERE e.agent IN $agents AND NOT EXISTS { (e)-[:MERGED_INTO]->() } |
    [e.key, e.name, count { (e)<-[:MENTIONS]-() }]
  ] ELSE [] END,
  CASE WHEN m.kind = 'summary' AND m.id IN lenders THEN [
    (m)-[:SUMMARISES]->(source:Memory) WHERE source.halves IS NOT NULL AND NOT source.quarantined |
    [source.id, source.text, source.speaker, source.halves, source.turn_order]
  ] ELSE [] END
]) AS rows
