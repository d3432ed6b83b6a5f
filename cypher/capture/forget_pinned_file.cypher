// Let a pinned file go; one that was never ingested is then no longer registered.
// $agent  whose
// $key    of the agent and the path
MATCH (f:Folder {key: $key})
WHERE f.agent = $agent AND f.pinned_at IS NOT NULL
SET f.pinned_at = null
WITH f, f.path AS path
CALL (f) {
  WITH f
  WHERE f.registered_at IS NULL
  DELETE f
}
RETURN path
