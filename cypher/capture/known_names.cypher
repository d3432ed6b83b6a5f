// Names an agent's graph knows, so that capture finds them however they are written.
// $agent  whose
// $limit  how many at most; the most mentioned first
MATCH (e:Entity {agent: $agent})
WHERE e.retired_at IS NULL AND NOT (e)-[:MERGED_INTO]->()
WITH e, count { (e)<-[:MENTIONS]-() } AS mentions
ORDER BY mentions DESC, e.key
LIMIT $limit
RETURN e.name AS name, e.type AS type, e.aliases AS aliases
