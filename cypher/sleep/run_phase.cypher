// Say that a run has done with a phase.
// $agent   whose memories
// $run     id of the run
// $phase   its name
// $report  what it did, as JSON
MATCH (run:SleepRun {id: $run})
WHERE run.agent = $agent
SET run.done = run.done + $phase, run.reports = run.reports + $report
RETURN run.id AS id
