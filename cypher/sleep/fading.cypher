// Live memories that have expired or may be too weak, a page at a time.
// Preferences, decisions, lessons, and what is evergreen, lasting or young, never fade.
// $agent  whose
// $now    the time
// $young  what was captured later does not fade
// $after  the last id of the page before
// $limit  rows to return
MATCH (m:Memory)
USING INDEX m:Memory(agent, id)
WHERE m.agent = $agent AND m.id > $after AND m.archived_at IS NULL AND NOT m.pinned
WITH m, m.live AND m.created_at <= $young AND NOT m.evergreen AND NOT m.lasting
  AND NOT m.kind IN ['preference', 'decision', 'lesson'] AS may_fade
WHERE may_fade OR m.expires_at <= $now
RETURN m.id AS id, m.version AS version, m.created_at AS created_at, m.last_retrieved_at AS last_retrieved_at,
  m.importance AS importance, m.retrievals AS retrievals, m.expires_at AS expires_at, m.archived_at AS archived_at,
  m.dedupe_key AS dedupe_key, may_fade
ORDER BY m.agent, m.id
LIMIT $limit
