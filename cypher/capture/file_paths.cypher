// Files below a folder that have live chunks.
// $agent  whose memories
// $root   the folder, or one file
MATCH (m:Memory)
WHERE m.agent = $agent AND m.path STARTS WITH $root AND m.kind = 'chunk' AND m.archived_at IS NULL
  AND (m.path = $root OR m.path STARTS WITH $root + '/')
RETURN DISTINCT m.path AS path
ORDER BY path
