// What scoring looks at, for memories that were found and for the turns beside the best of them.
// $ids      memories that were found
// $lenders  the best of them
// $vector   the question's embedding, or null
// $feedback the middle of the memories nearest to it, or null
// $agents  whose memories: the asker's, and the shared ones when they may be read
// $kinds   of these kinds
// $since   that happened then or later, and before $until
// $as_of   that held then
// $session key of the session they were said in, or null
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {id: id})
  RETURN m
  UNION
  UNWIND $lenders AS id
  MATCH (:Memory {id: id})-[:NEXT]-(m:Memory)
  RETURN m
}
WITH m
WHERE m.agent IN $agents AND m.live = true AND m.kind IN $kinds
  AND m.event_at >= $since AND m.event_at < $until
  AND m.valid_from <= $as_of AND m.valid_until > $as_of
  AND (m.expires_at IS NULL OR m.expires_at > $as_of)
  AND ($session IS NULL OR m.session_key = $session)
RETURN
  m.id AS id, m.text AS text, m.kind AS kind, m.scope AS scope, m.event_at.epochMillis / 1000.0 AS event_at,
  m.evergreen AS evergreen, m.pinned AS pinned, m.lasting AS lasting, m.trust AS trust,
  m.authority AS authority, m.retrievals AS retrievals, m.decay_rate AS decay_rate, m.task_id AS task_id,
  m.path AS path, m.speaker AS speaker, m.session_key AS session, m.turn_order AS turn_order,
  m.created_at.epochMillis / 1000.0 AS created_at,
  head([(b:Memory)-[:NEXT]->(m) | b.id]) AS before, head([(m)-[:NEXT]->(a:Memory) | a.id]) AS after,
  [(m)-[:ABOUT]->(e:Entity) | e.key] AS about, [(m)-[:AMENDS]->(older:Memory) | older.id] AS amends,
  CASE WHEN $vector IS NULL OR m.embedding IS NULL THEN null
       ELSE 2 * vector.similarity.cosine(m.embedding, $vector) - 1 END AS cosine,
  CASE WHEN $vector IS NULL OR m.context_embedding IS NULL THEN null
       ELSE 2 * vector.similarity.cosine(m.context_embedding, $vector) - 1 END AS context_cosine,
  CASE WHEN $feedback IS NULL OR m.embedding IS NULL THEN null
       ELSE 2 * vector.similarity.cosine(m.embedding, $feedback) - 1 END AS feedback_cosine
