// Say how a run ended; no row when somebody else has taken the sleeper's place.
// $agent   whose memories
// $token   of the sleeper
// $run     id of the run
// $status  finished, or stopped: it goes on the next time
// $reason  why it was stopped, or null
MATCH (lease:SleepLease {agent: $agent})
SET lease.agent = lease.agent // takes the lock
WITH lease
WHERE lease.token = $token
MATCH (run:SleepRun {id: $run})
WHERE run.agent = $agent
SET run.status = $status, run.reason = $reason, run.ended_at = datetime.realtime()
RETURN run.id AS id
