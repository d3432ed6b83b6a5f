// The pinned memories, whose budget is checked when one more is pinned.
// $agent  whose memories
MATCH (m:Memory)
WHERE m.agent = $agent AND m.pinned
RETURN m.id AS id, m.text AS text
