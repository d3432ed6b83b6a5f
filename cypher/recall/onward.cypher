// Entities that memories name or that stand in a relation to others, and what is about each: the next step of a walk.
// $ids        memories
// $entities   keys of entities whose relations are followed
// $relations  how many each may give
// $passed     keys of entities that are not walked again
// $hub        nor is one that more memories name than this
// $limit      memories an entity may give
// $agents  whose memories: the asker's, and the shared ones when they may be read
// $kinds   of these kinds, or null
// $since   that happened then or later, and before $until; either may be null
// $as_of   that held then
// $session key of the session they were said in, or null
CALL () {
  UNWIND $ids AS id
  MATCH (from:Memory {id: id})-[mention:MENTIONS]->(e:Entity)
  WHERE from.agent IN $agents
  RETURN e, collect([id, null, coalesce(mention.confidence, 1.0)]) AS ways
  UNION ALL
  UNWIND $entities AS key
  MATCH (from:Entity {key: key})
  WHERE from.agent IN $agents
  CALL (from) {
    MATCH (from)-[r:RELATES]-(e:Entity)
    WHERE coalesce(r.valid_from, $as_of) <= $as_of AND coalesce(r.valid_until > $as_of, true)
    RETURN e, r
    ORDER BY coalesce(r.confidence, 1.0) DESC, e.key
    LIMIT $relations
  }
  RETURN e, collect([key, coalesce(r.type, 'relates to'), coalesce(r.confidence, 1.0)]) AS ways
}
WITH e, ways
WHERE e.agent IN $agents AND NOT e.key IN $passed AND NOT EXISTS { (e)-[:MERGED_INTO]->() }
WITH e, ways, count { (e)<-[:MENTIONS]-() } AS degree
WHERE degree <= $hub
CALL (e) {
  MATCH (e)<-[subject:ABOUT]-(m:Memory)
  WHERE m.agent IN $agents AND m.live = true AND ($kinds IS NULL OR m.kind IN $kinds)
    AND ($since IS NULL OR m.event_at >= $since) AND ($until IS NULL OR m.event_at < $until)
    AND m.valid_from <= $as_of AND m.valid_until > $as_of
    AND ($session IS NULL OR m.session_key = $session)
  WITH m.id AS id, coalesce(subject.confidence, 1.0) AS confidence, m.kind <> 'turn' AS leads
  ORDER BY confidence DESC, id DESC
  LIMIT $limit
  RETURN collect([id, confidence, leads]) AS about
}
RETURN ['key', 'name', 'degree', 'ways', 'about'] AS columns,
  collect([e.key, e.name, degree, ways, about]) AS rows
