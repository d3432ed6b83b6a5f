// An agent's entities that stand for themselves, the most named first, with what each stands for.
// $agent      whose
// $beginning  only names, or aliases, that begin so, in small letters
// $limit      rows to return
MATCH (e:Entity {agent: $agent})
WHERE e.retired_at IS NULL AND NOT EXISTS { (e)-[:MERGED_INTO]->() }
  AND any(name IN [e.name] + e.aliases WHERE toLower(name) STARTS WITH $beginning)
WITH e, count { (e)<-[:MENTIONS]-() } AS mentions
ORDER BY mentions DESC, e.key
LIMIT $limit
RETURN e.name AS name, e.type AS type, e.aliases AS aliases, mentions,
  [(e)<-[:MERGED_INTO*1..5]-(other:Entity) | other.name] AS merged
