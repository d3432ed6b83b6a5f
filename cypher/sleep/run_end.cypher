// Say how a run ended.
// $agent   whose memories
// $run     id of the run
// $status  finished, or stopped: it goes on the next time
// $reason  why it was stopped, or null
MATCH (run:SleepRun {id: $run})
WHERE run.agent = $agent
SET run.status = $status, run.reason = $reason, run.ended_at = datetime.realtime()
RETURN run.id AS id
