// Join memories to those their authors linked them to, by id or by the id they came with.
// $agent  whose memories
// $links  {from, to}: a memory's id, and what it links to
UNWIND $links AS link
MATCH (a:Memory {id: link.from})
WHERE a.agent = $agent
CALL (link) {
  MATCH (b:Memory {id: link.to})
  WHERE b.agent = $agent
  RETURN b
  UNION
  MATCH (b:Memory {agent: $agent, external_id: link.to})
  RETURN b
}
WITH a, b
WHERE a <> b
MERGE (a)-[:LINKS]->(b)
RETURN count(*) AS linked
