// Memories about entities or naming them; an entity that very many name is not walked.
// $entities  keys
// $about     only those that are about them
// $hub       an entity with more memories than this is not walked
// $limit     memories an entity may give
// $agents  whose memories: the asker's, and the shared ones when they may be read
// $kinds   of these kinds
// $since   that happened then or later, and before $until
// $as_of   that held then
// $session key of the session they were said in, or null
UNWIND $entities AS key
MATCH (e:Entity {key: key})
WHERE e.agent IN $agents
WITH e, count { (e)<-[:MENTIONS]-() } AS degree
WHERE degree <= $hub
CALL (e) {
  MATCH (e)<-[subject:ABOUT]-(m:Memory)
  WHERE m.agent IN $agents AND m.live = true AND m.kind IN $kinds
    AND m.event_at >= $since AND m.event_at < $until
    AND m.valid_from <= $as_of AND m.valid_until > $as_of
    AND ($session IS NULL OR m.session_key = $session)
  RETURN m.id AS id, coalesce(subject.confidence, 1.0) AS confidence, true AS about
  ORDER BY confidence DESC, id DESC
  LIMIT $limit
  UNION
  MATCH (e)<-[mention:MENTIONS]-(m:Memory)
  WHERE NOT $about AND m.agent IN $agents AND m.live = true AND m.kind IN $kinds
    AND m.event_at >= $since AND m.event_at < $until
    AND m.valid_from <= $as_of AND m.valid_until > $as_of
    AND ($session IS NULL OR m.session_key = $session)
  RETURN m.id AS id, coalesce(mention.confidence, 1.0) AS confidence, false AS about
  ORDER BY confidence DESC, id DESC
  LIMIT $limit
}
RETURN ['key', 'degree', 'id', 'confidence', 'about'] AS columns,
  collect([e.key, degree, id, confidence, about]) AS rows
