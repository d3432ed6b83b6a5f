// The chunks of a file that are not archived.
// $agent  whose memories
// $path   the file
MATCH (m:Memory)
WHERE m.agent = $agent AND m.path = $path AND m.kind = 'chunk' AND m.archived_at IS NULL
RETURN m.id AS id
ORDER BY id
