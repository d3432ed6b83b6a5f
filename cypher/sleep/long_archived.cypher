// Memories that were archived before a time, a page at a time.
// $agent   whose
// $before  archived earlier
// $after   the last id of the page before
// $limit   rows to return
MATCH (m:Memory)
USING INDEX m:Memory(agent, id)
WHERE m.agent = $agent AND m.id > $after AND m.archived_at < $before AND NOT m.pinned
RETURN m.id AS id, m.version AS version, m.archived_at AS archived_at
ORDER BY m.agent, m.id
LIMIT $limit
