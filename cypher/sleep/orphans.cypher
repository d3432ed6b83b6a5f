// Entities that are in use though no live memory names them, or set aside though one does; a page at
// a time. What was merged into another follows that one.
// $agent  whose
// $after  the last key of the page before
// $limit  rows to return
MATCH (e:Entity)
USING INDEX e:Entity(agent, key)
WHERE e.agent = $agent AND e.key > $after AND NOT EXISTS { (e)-[:MERGED_INTO]-() }
WITH e, EXISTS { MATCH (e)<-[:MENTIONS|ABOUT]-(m:Memory) WHERE m.archived_at IS NULL } AS live,
  EXISTS { MATCH (e)<-[:MENTIONS|ABOUT]-(m:Memory) WHERE m.archived_at IS NOT NULL } AS archived
WHERE CASE WHEN live THEN e.retired_at IS NOT NULL WHEN archived THEN e.retired_at IS NULL ELSE true END
RETURN e.key AS id, live, archived
ORDER BY e.agent, e.key
LIMIT $limit
