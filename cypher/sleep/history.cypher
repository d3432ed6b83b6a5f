// An agent's runs, newest first.
// $agent  whose
// $limit  rows to return
MATCH (run:SleepRun {agent: $agent})
RETURN run.id AS id, run.status AS status, run.started_at AS started_at, run.ended_at AS ended_at,
  run.changes AS changes, run.reason AS reason, run.phases AS phases, run.reports AS reports
ORDER BY started_at DESC, id DESC
LIMIT $limit
