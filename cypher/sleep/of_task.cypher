// Live memories that bear a task's tag or share words with it, and were not judged for it yet.
// $agent  whose
// $query  words in Lucene's language, made by us, with the agent as one token
// $task   its id
// $limit  how many at most share words
CALL () {
  MATCH (m:Memory)
  WHERE m.agent = $agent AND m.task_id = $task
  RETURN m
  UNION
  CALL db.index.fulltext.queryNodes('memory_words', $query, {limit: $limit}) YIELD node AS m
  WHERE m.agent = $agent
  RETURN m
}
WITH m
WHERE m.live = true AND NOT m.pinned AND NOT m.lasting AND coalesce(m.sleep_tasks <> $task, true)
RETURN m.id AS id, m.version AS version, m.text AS text, m.kind AS kind, m.task_id AS task_id,
  m.dedupe_key AS dedupe_key
ORDER BY id
