// Say that a run was undone; no row when somebody else has taken the sleeper's place.
// $agent  whose memories
// $token  of the lease
// $run    id of the run
MATCH (lease:SleepLease {agent: $agent})
SET lease.agent = lease.agent // takes the lock
WITH lease
WHERE lease.token = $token AND lease.expires_at > datetime.realtime()
MATCH (run:SleepRun {id: $run})
WHERE run.agent = $agent
SET run.status = 'undone', run.undone_at = datetime.realtime()
RETURN run.id AS id
