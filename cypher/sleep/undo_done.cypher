// Say that a run was undone.
// $agent  whose memories
// $run    id of the run
MATCH (run:SleepRun {id: $run})
WHERE run.agent = $agent
SET run.status = 'undone', run.undone_at = datetime.realtime()
RETURN run.id AS id
