// Archive chunks that their file no longer has; pinned ones stay.
// $agent  whose memories
// $ids    the chunks, in order
// $lane   the agent's token for what is not live
// $now    when
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WHERE m.agent = $agent AND m.kind = 'chunk'
SET m.agent = m.agent // changes nothing but takes the lock, so that what is read now stays true
WITH m
WHERE m.archived_at IS NULL AND NOT m.pinned
SET m.archived_at = $now, m.live = false, m.lane = $lane, m.version = m.version + 1,
    m.dedupe_key_kept = m.dedupe_key
REMOVE m.dedupe_key
RETURN count(m) AS retired
