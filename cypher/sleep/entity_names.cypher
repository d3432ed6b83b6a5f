// An agent's entities that stand for themselves, a page at a time.
// $agent  whose
// $after  the last key of the page before
// $limit  rows to return
MATCH (e:Entity)
USING INDEX e:Entity(agent, key)
WHERE e.agent = $agent AND e.key > $after AND e.retired_at IS NULL AND NOT EXISTS { (e)-[:MERGED_INTO]->() }
RETURN e.key AS id, e.name AS name, e.type AS type, e.aliases AS aliases,
  count { (e)<-[:MENTIONS]-() } AS mentions, e.sleep_entities IS NOT NULL AS looked
ORDER BY e.agent, e.key
LIMIT $limit
