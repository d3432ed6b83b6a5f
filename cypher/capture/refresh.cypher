// Note that memories were said again.
// $agent  whose memories
// $ids    which
// $now    when
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WHERE m.agent = $agent
SET m.seen = m.seen + 1, m.last_seen_at = $now
RETURN count(m) AS refreshed
