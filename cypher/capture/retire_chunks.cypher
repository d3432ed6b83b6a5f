// Archive the chunks of a file that its present text no longer has.
// $agent  whose memories
// $path   the file
// $kept   ids of the chunks it has now; none when the file is gone
// $lane   the agent's token for what is not live
// $now    when
MATCH (m:Memory)
WHERE m.agent = $agent AND m.path = $path AND m.kind = 'chunk' AND m.archived_at IS NULL
  AND NOT m.id IN $kept
SET m.archived_at = $now, m.live = false, m.lane = $lane, m.version = m.version + 1,
    m.dedupe_key_kept = m.dedupe_key
REMOVE m.dedupe_key
RETURN count(m) AS retired
