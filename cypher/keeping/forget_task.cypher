// Take a task's tag off the memories that bear it.
// $agent  whose memories
// $task   id of the task
MATCH (m:Memory)
WHERE m.agent = $agent AND m.task_id = $task
SET m.version = m.version + 1
REMOVE m.task_id
WITH m
OPTIONAL MATCH (m)-[tag:FOR_TASK]->(:Task)
DELETE tag
RETURN count(DISTINCT m) AS untagged
