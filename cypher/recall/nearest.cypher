// Memories nearest to a question, closest first, and what scoring looks at, in one: of them, of those the other signals
// found, and of the turns beside the best; as `candidates` tells it. For questions that ask of no kind or time: each filter
// more makes the search slower.
// $vector   the question's embedding
// $limit    how many are nearest, and the width of the search
// $best     how many of these lend to the turns beside them
// $ids      memories the other signals found
// $lenders  the best of them; it is told what lenders name, and of a summary its sources
// $known    memories of which all is known already
// $agents   whose memories: the asker's, and the shared ones when they may be read
// $kinds    of these kinds
// $since    that happened then or later, and before $until
// $as_of    that held then
// $session  key of the session they were said in, or null
CALL () {
  MATCH (m:Memory)
  SEARCH m IN (
    VECTOR INDEX memory_embedding FOR $vector
    WHERE m.agent IN $agents AND m.live = true AND m.valid_until > $as_of
    LIMIT $limit
  ) SCORE AS score
  RETURN collect(m) AS near, collect([m.id, score]) AS found
}
WITH near, found, [hit IN found[..$best] | hit[0]] + $lenders AS lenders
CALL (near, lenders) {
  CALL (near, lenders) {
    UNWIND near AS m
    RETURN m
    UNION
    UNWIND $ids AS id
    MATCH (m:Memory {id: id})
    RETURN m
    UNION
    UNWIND lenders AS id
    MATCH (:Memory {id: id})-[:NEXT]-(m:Memory)
    RETURN m
  }
  WITH m, lenders
  WHERE NOT m.id IN $known
  WITH m, lenders
  WHERE m.agent IN $agents AND m.live = true AND m.kind IN $kinds
    AND m.event_at >= $since AND m.event_at < $until
    AND m.valid_from <= $as_of AND m.valid_until > $as_of
    AND (m.expires_at IS NULL OR m.expires_at > $as_of)
    AND ($session IS NULL OR m.session_key = $session)
  RETURN collect([
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
}
RETURN found, rows, [
  'id', 'text', 'kind', 'scope', 'event_at', 'evergreen', 'pinned', 'lasting', 'trust', 'authority', 'retrievals',
  'decay_rate', 'task_id', 'path', 'title', 'speaker', 'session', 'turn_order', 'created_at', 'beside',
  'about', 'names', 'amends', 'halves', 'sources'
] AS columns
