// Say that a run has done with a phase; no row when somebody else has taken the sleeper's place.
// $agent   whose memories
// $token   of the sleeper
// $run     id of the run
// $phase   its name
// $report  what it did, as JSON
MATCH (lease:SleepLease {agent: $agent})
SET lease.agent = lease.agent // takes the lock
WITH lease
WHERE lease.token = $token
MATCH (run:SleepRun {id: $run})
WHERE run.agent = $agent
SET run.done = run.done + $phase, run.reports = run.reports + $report
RETURN run.id AS id
