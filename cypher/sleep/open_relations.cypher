// Subjects with several open relations of a kind that holds one at a time, a page at a time.
// $agent  whose
// $types  kinds of which one holds at a time
// $after  the last key and type of the page before
// $limit  rows to return
MATCH (e:Entity)
USING INDEX e:Entity(agent)
WHERE e.agent = $agent AND NOT EXISTS { (e)-[:MERGED_INTO]->() }
MATCH (e)-[r:RELATES]->(n:Entity)
WHERE r.type IN $types AND r.id IS NOT NULL AND r.valid_from IS NOT NULL
  AND coalesce(r.valid_until.year = 9999, true)
WITH e.key + ' ' + r.type AS id, collect({
  id: r.id, source: e.key, target: n.key, type: r.type, valid_from: r.valid_from
}) AS relations
WHERE id > $after AND size(relations) > 1
RETURN id, relations
ORDER BY id
LIMIT $limit
