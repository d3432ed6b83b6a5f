// Entities that memories name, and what is about each: two steps of a walk in one.
// $ids     memories
// $passed  keys of entities that are not walked again
// $hub     nor is one that more memories name than this
// $limit   memories an entity may give
// $agents  whose memories: the asker's, and the shared ones when they may be read
// $kinds   of these kinds
// $since   that happened then or later, and before $until
// $as_of   that held then
// $session key of the session they were said in, or null
UNWIND $ids AS id
MATCH (from:Memory {id: id})-[mention:MENTIONS]->(e:Entity)
WHERE from.agent IN $agents AND e.agent IN $agents AND NOT e.key IN $passed
  AND NOT EXISTS { (e)-[:MERGED_INTO]->() }
WITH e, collect([id, coalesce(mention.confidence, 1.0)]) AS ways
WITH e, ways, count { (e)<-[:MENTIONS]-() } AS degree
WHERE degree <= $hub
CALL (e) {
  MATCH (e)<-[subject:ABOUT]-(m:Memory)
  WHERE m.agent IN $agents AND m.live = true AND m.kind IN $kinds
    AND m.event_at >= $since AND m.event_at < $until
    AND m.valid_from <= $as_of AND m.valid_until > $as_of
    AND ($session IS NULL OR m.session_key = $session)
  WITH m.id AS id, coalesce(subject.confidence, 1.0) AS confidence
  ORDER BY confidence DESC, id DESC
  LIMIT $limit
  RETURN collect([id, confidence]) AS memories
}
RETURN ['key', 'name', 'degree', 'ways', 'memories'] AS columns,
  collect([e.key, e.name, degree, ways, memories]) AS rows
