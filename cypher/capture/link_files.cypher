// Join chunks to the files they link to: the chunk that was found there, else the file's first.
// $agent  whose memories
// $links  {memory, path, chunk}: id of the chunk that holds the link, the file, id of a chunk or null
UNWIND $links AS link
MATCH (a:Memory {id: link.memory})
WHERE a.agent = $agent AND a.archived_at IS NULL
CALL (link) {
  MATCH (b:Memory)
  WHERE b.agent = $agent AND b.path = link.path AND b.kind = 'chunk' AND b.live
  RETURN b
  ORDER BY b.id = coalesce(link.chunk, '') DESC, b.line_from, b.id
  LIMIT 1
}
MERGE (a)-[:LINKS]->(b)
RETURN count(*) AS linked
