// Which of some entities there are, what each stands for by now, and whether it was set aside.
// $agent  whose
// $keys   of entities
UNWIND $keys AS key
MATCH (e:Entity {key: key})
WHERE e.agent = $agent
OPTIONAL MATCH (e)-[:MERGED_INTO*1..5]->(now:Entity)
WHERE NOT (now)-[:MERGED_INTO]->()
RETURN key, coalesce(now.key, key) AS now, coalesce(now, e).retired_at IS NOT NULL AS aside
