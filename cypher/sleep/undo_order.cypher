// The changes of a run that are not undone yet, the last first.
// $agent  whose memories
// $run    id of the run
MATCH (change:SleepChange {run: $run})
WHERE change.agent = $agent AND change.undone_at IS NULL
RETURN change.id AS id
ORDER BY change.number DESC
