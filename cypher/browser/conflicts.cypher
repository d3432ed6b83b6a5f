// What was replaced by something newer, and why
// $agent  whose memories
MATCH (new:Memory)-[replaced:SUPERSEDES]->(old:Memory)
WHERE new.agent = $agent AND old.agent = $agent
RETURN
  new.text AS now,
  old.text AS before,
  old.valid_until AS until,
  replaced.reason AS reason,
  new.id AS now_id,
  old.id AS before_id
ORDER BY until DESC, now_id
LIMIT 50
