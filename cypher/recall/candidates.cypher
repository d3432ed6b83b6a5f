// What scoring looks at, for memories that were found, for the turns beside the best of them, and for what these lead to.
// $ids       memories that were found
// $lenders   the best of them, whose neighbouring turns come too; a summary among them is judged by its nearest source
// $leaders   the best of those, of which it is told what they name
// $best      [id, weight]: the very best, from which one more walk is made, over what they name to what is about it
// $passed    keys of entities that are not walked again
// $hub       nor is one that more memories name than this
// $limit     memories an entity may give
// $reach     how many that walk may bring
// $vector    the question's embedding, or null
// $feedback  the middle of the memories nearest to it, or null
// $agents  whose memories: the asker's, and the shared ones when they may be read
// $kinds   of these kinds
// $since   that happened then or later, and before $until
// $as_of   that held then
// $session key of the session they were said in, or null
CALL () {
  UNWIND $best AS start
  MATCH (from:Memory {id: start[0]})-[mention:MENTIONS]->(e:Entity)
  WHERE from.agent IN $agents AND e.agent IN $agents AND NOT e.key IN $passed
    AND NOT EXISTS { (e)-[:MERGED_INTO]->() }
  WITH e, collect([start[0], null, coalesce(mention.confidence, 1.0)]) AS ways,
    max(start[1] * coalesce(mention.confidence, 1.0)) AS weight
  WITH e, ways, weight, count { (e)<-[:MENTIONS]-() } AS degree
  WHERE degree <= $hub
  CALL (e) {
    MATCH (e)<-[subject:ABOUT]-(m:Memory)
    WHERE m.agent IN $agents AND m.live = true AND m.kind IN $kinds
      AND m.event_at >= $since AND m.event_at < $until
      AND m.valid_from <= $as_of AND m.valid_until > $as_of
      AND ($session IS NULL OR m.session_key = $session)
    WITH m, coalesce(subject.confidence, 1.0) AS confidence
    ORDER BY confidence DESC, m.id DESC
    LIMIT $limit
    RETURN collect({m: m, confidence: confidence}) AS about
  }
  RETURN collect({e: e, degree: degree, ways: ways, weight: weight, about: about}) AS walked
}
CALL (walked) {
  UNWIND walked AS step
  UNWIND step.about AS place
  WITH place.m AS m, max(step.weight * place.confidence / (1 + log(step.degree))) AS weight
  ORDER BY weight DESC, m.id
  LIMIT $reach
  RETURN collect(m) AS reached
}
CALL (reached) {
  CALL (reached) {
    UNWIND reached AS m
    RETURN m
    UNION
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
  OPTIONAL CALL (m) {
    WITH m
    WHERE m.kind = 'summary' AND m.id IN $lenders AND $vector IS NOT NULL
    MATCH (m)-[:SUMMARISES]->(source:Memory)
    WHERE source.embedding IS NOT NULL AND NOT source.quarantined
    RETURN source
    ORDER BY vector.similarity.cosine(source.embedding, $vector) DESC, source.id
    LIMIT 1
  }
  WITH m, coalesce(source, m) AS said
  RETURN collect([
    m.id, said.text, m.kind, m.scope, m.event_at.epochMillis / 1000.0, m.evergreen, m.pinned, m.lasting, m.trust,
    m.authority, m.retrievals, m.decay_rate, m.task_id, m.path, said.speaker, m.session_key, m.turn_order,
    m.created_at.epochMillis / 1000.0, head([(b:Memory)-[:NEXT]->(m) | b.id]),
    head([(m)-[:NEXT]->(a:Memory) | a.id]), [(m)-[:ABOUT]->(e:Entity) | e.key],
    CASE WHEN m.id IN $leaders THEN [
      (m)-[:MENTIONS]->(e:Entity) WHERE e.agent IN $agents AND NOT EXISTS { (e)-[:MERGED_INTO]->() } |
      [e.key, count { (e)<-[:MENTIONS]-() }]
    ] ELSE [] END,
    [(m)-[:AMENDS]->(older:Memory) | older.id] + [(m)-[:AMENDS]->(:Memory)<-[:SUMMARISES]-(s:Memory) | s.id],
    CASE WHEN $vector IS NULL OR said.embedding IS NULL THEN null ELSE 2 * vector.similarity.cosine(said.embedding, $vector) - 1 END,
    CASE WHEN $vector IS NULL OR said.context_embedding IS NULL THEN null ELSE 2 * vector.similarity.cosine(said.context_embedding, $vector) - 1 END,
    CASE WHEN $feedback IS NULL OR said.embedding IS NULL THEN null ELSE 2 * vector.similarity.cosine(said.embedding, $feedback) - 1 END
  ]) AS candidates
}
RETURN [
  'id', 'text', 'kind', 'scope', 'event_at', 'evergreen', 'pinned', 'lasting', 'trust', 'authority',
  'retrievals', 'decay_rate', 'task_id', 'path', 'speaker', 'session', 'turn_order', 'created_at', 'before',
  'after', 'about', 'names', 'amends', 'cosine', 'context_cosine', 'feedback_cosine'
] AS columns, candidates, [
  step IN walked |
  [step.e.key, step.e.name, step.degree, step.ways, [place IN step.about | [place.m.id, place.confidence]]]
] AS walked
