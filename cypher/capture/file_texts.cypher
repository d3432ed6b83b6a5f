// What the live chunks of some files say, to find the one under a heading.
// $agent  whose memories
// $paths  the files
UNWIND $paths AS path
MATCH (m:Memory)
WHERE m.agent = $agent AND m.path = path AND m.kind = 'chunk' AND m.live
RETURN path, m.id AS id, m.text AS text
ORDER BY path, m.line_from, id
