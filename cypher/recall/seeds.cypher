// Entities a question names, and the memories about each or naming it: the first step of a walk.
// A name that no key knows is looked for by likeness; what was merged stands for what it became.
// $keys    keys that parts of the question would have
// $names   {keys, query}: the names among them, each with its keys, and in Lucene's language with the agents as one token each
// $hub     an entity that more memories name than this is not walked
// $limit   memories an entity may give
// $agents  whose memories: the asker's, and the shared ones when they may be read
// $kinds   of these kinds, or null
// $since   that happened then or later, and before $until; either may be null
// $as_of   that held then
// $session key of the session they were said in, or null
CALL () {
  MATCH (named:Entity)
  WHERE named.key IN $keys AND named.agent IN $agents
  RETURN collect(named) AS known
}
CALL (known) {
  UNWIND $names AS name
  WITH known, name
  WHERE none(entity IN known WHERE entity.key IN name.keys)
  CALL db.index.fulltext.queryNodes('entity_names', name.query, {limit: 2}) YIELD node
  WITH node
  WHERE node.agent IN $agents
  RETURN collect(DISTINCT node) AS alike
}
UNWIND known + alike AS named
WITH DISTINCT named, CASE WHEN named IN known THEN named.key END AS asked
OPTIONAL MATCH (named)-[:MERGED_INTO*1..5]->(now:Entity)
WHERE NOT (now)-[:MERGED_INTO]->()
WITH coalesce(now, named) AS e, collect(asked) AS asked
WITH e, asked, count { (e)<-[:MENTIONS]-() } AS degree
CALL (e, degree) {
  MATCH (e)<-[subject:ABOUT]-(m:Memory)
  WHERE degree <= $hub AND m.agent IN $agents AND m.live = true AND ($kinds IS NULL OR m.kind IN $kinds)
    AND ($since IS NULL OR m.event_at >= $since) AND ($until IS NULL OR m.event_at < $until)
    AND m.valid_from <= $as_of AND m.valid_until > $as_of
    AND ($session IS NULL OR m.session_key = $session)
  WITH m.id AS id, coalesce(subject.confidence, 1.0) AS confidence, m.kind <> 'turn' AS leads
  ORDER BY confidence DESC, id DESC
  LIMIT $limit
  RETURN collect([id, confidence, leads]) AS about
}
CALL (e, degree) {
  MATCH (e)<-[mention:MENTIONS]-(m:Memory)
  WHERE degree <= $hub AND m.agent IN $agents AND m.live = true AND ($kinds IS NULL OR m.kind IN $kinds)
    AND ($since IS NULL OR m.event_at >= $since) AND ($until IS NULL OR m.event_at < $until)
    AND m.valid_from <= $as_of AND m.valid_until > $as_of
    AND ($session IS NULL OR m.session_key = $session)
  WITH m.id AS id, coalesce(mention.confidence, 1.0) AS confidence
  ORDER BY confidence DESC, id DESC
  LIMIT $limit
  RETURN collect([id, confidence]) AS naming
}
RETURN ['asked', 'key', 'name', 'degree', 'related', 'about', 'naming'] AS columns,
  collect([asked, e.key, e.name, degree, EXISTS { (e)-[:RELATES]-() }, about, naming]) AS rows
