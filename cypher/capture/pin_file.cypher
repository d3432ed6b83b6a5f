// Pin a file; not when something was pinned after the budget was checked.
// $agent  whose
// $key    of the agent and the path
// $path   real path
// $seen   ids of memories and paths of files that were pinned when the budget was checked
// $now    when
OPTIONAL MATCH (space:EmbeddingSpace {name: 'store'})
SET space.name = space.name // changes nothing but takes the lock: one pins at a time
WITH count(space) AS locked
WITH
  COLLECT { MATCH (p:Memory) WHERE p.agent = $agent AND p.pinned RETURN p.id }
  + COLLECT { MATCH (p:Folder) WHERE p.agent = $agent AND p.pinned_at IS NOT NULL RETURN p.path } AS pinned
WITH all(each IN pinned WHERE each IN $seen) AS agreed
CALL (agreed) {
  WITH agreed
  WHERE agreed
  MERGE (f:Folder {key: $key})
    ON CREATE SET f.agent = $agent, f.path = $path
  WITH f
  WHERE f.agent = $agent
  SET f.pinned_at = coalesce(f.pinned_at, $now)
}
RETURN agreed
