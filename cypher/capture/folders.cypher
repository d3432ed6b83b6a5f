// The files and folders an agent has registered or pinned.
// $agent  whose
MATCH (f:Folder)
WHERE f.agent = $agent
RETURN f.path AS path, f.registered_at AS registered_at, f.pinned_at AS pinned_at
ORDER BY path
