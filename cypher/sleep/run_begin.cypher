// Begin a run, or go on with one; a run that was stopped or killed goes on in the phase it was in.
// $agent   whose memories
// $id      of a new run
// $phases  that it has, in order
OPTIONAL MATCH (old:SleepRun {agent: $agent})
WHERE old.status IN ['running', 'stopped'] AND old.phases = $phases
WITH old
ORDER BY old.started_at DESC
LIMIT 1
WITH coalesce(old.id, $id) AS id
MERGE (run:SleepRun {id: id})
  ON CREATE SET run.agent = $agent, run.phases = $phases, run.done = [], run.reports = [], run.changes = 0,
    run.started_at = datetime.realtime()
WITH run
WHERE run.agent = $agent
SET run.status = 'running'
REMOVE run.reason
RETURN run.id AS id, run.done AS done, run.reports AS reports, run.changes AS changes,
  coalesce(COLLECT { MATCH (c:SleepChange {run: run.id}) WHERE c.agent = $agent RETURN max(c.number) }[0], 0) AS number
