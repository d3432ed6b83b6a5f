// What ids or their beginnings may mean: how many memories, and the first of them.
// $agent  whose memories
// $given  ids as a person wrote them
UNWIND $given AS given
OPTIONAL MATCH (m:Memory)
USING INDEX m:Memory(id)
WHERE m.id STARTS WITH given AND m.agent = $agent
WITH given, m
ORDER BY m.id
WITH given, collect(m) AS found
// A whole id comes first of all that begin with it, and means itself.
WITH given, found[0] AS m, size(found) AS matches
RETURN
  given,
  CASE WHEN m.id = given THEN 1 ELSE matches END AS matches,
  m {
    .*, embedding: null, halves: null,
    session: head([(m)-[:IN_SESSION]->(s:Session) | s.id])
  } AS memory
