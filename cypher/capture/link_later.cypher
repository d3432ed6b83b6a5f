// Join memories to what they linked to before it came; return which links have found their end.
// $agent  whose memories
// $links  {number, key, to}: dedupe key of the memory, and the id, or id it came with, of the other
UNWIND $links AS link
CALL (link) {
  MATCH (b:Memory {id: link.to})
  WHERE b.agent = $agent
  RETURN b
  UNION
  MATCH (b:Memory {agent: $agent, external_id: link.to})
  RETURN b
}
OPTIONAL MATCH (a:Memory {dedupe_key: link.key})
WHERE a.agent = $agent AND a <> b
FOREACH (_ IN CASE WHEN a IS NULL THEN [] ELSE [1] END | MERGE (a)-[:LINKS]->(b))
RETURN DISTINCT link.number AS number
