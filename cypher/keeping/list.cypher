// A page of memories, newest first.
// $agent        whose memories
// $state        live, archived, quarantined, pinned or all
// $kind         only of this kind, unless null
// $task         only with this task's tag, unless null
// $session_key  only of this session, unless null
// $since        only captured then or later, unless null
// $until        only captured before then, unless null
// $before       id of the memory the page before ended with, or null
// $limit        rows to return
OPTIONAL MATCH (last:Memory {id: $before})
WHERE last.agent = $agent
WITH coalesce(last.created_at, datetime('9999-12-31T23:59:59.999999999Z')) AS at, last.id AS id
MATCH (m:Memory)
USING INDEX m:Memory(agent, created_at)
WHERE m.agent = $agent
  AND m.created_at >= coalesce($since, datetime('0001-01-01T00:00:00Z'))
  AND m.created_at <= at
  AND (id IS NULL OR m.created_at < at OR m.id < id)
  AND ($until IS NULL OR m.created_at < $until)
  AND ($kind IS NULL OR m.kind = $kind)
  AND ($task IS NULL OR m.task_id = $task)
  AND ($session_key IS NULL OR m.session_key = $session_key)
  AND CASE $state
    WHEN 'live' THEN m.live
    WHEN 'archived' THEN m.archived_at IS NOT NULL
    WHEN 'quarantined' THEN m.quarantined AND m.archived_at IS NULL
    WHEN 'pinned' THEN m.pinned
    ELSE true
  END
WITH m
ORDER BY m.created_at DESC, m.id DESC
LIMIT $limit
RETURN
  m {
    .*, embedding: null, halves: null,
    session: head([(m)-[:IN_SESSION]->(s:Session) | s.id])
  } AS memory
ORDER BY m.created_at DESC, m.id DESC
