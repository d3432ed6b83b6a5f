// Register a file or folder, so that its lines can be read back; registered again, nothing changes.
// $agent  whose
// $key    of the agent and the path
// $path   real path
// $now    when
MERGE (f:Folder {key: $key})
  ON CREATE SET f.agent = $agent, f.path = $path
WITH f
WHERE f.agent = $agent
SET f.registered_at = coalesce(f.registered_at, $now)
RETURN f.registered_at AS registered_at
