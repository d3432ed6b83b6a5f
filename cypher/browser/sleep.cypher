// What the last sleep did, in order
// $agent  whose memories
MATCH (run:SleepRun {agent: $agent})
WITH run
ORDER BY run.started_at DESC, run.id DESC
LIMIT 1
OPTIONAL MATCH (change:SleepChange)
WHERE change.agent = $agent AND change.run = run.id
WITH run, change, change.about AS about
OPTIONAL MATCH (m:Memory {id: about})
WHERE m.agent = $agent
OPTIONAL MATCH (e:Entity {key: about})
WHERE e.agent = $agent
RETURN
  change.phase AS phase,
  change.action AS action,
  coalesce(m.text, e.name) AS what,
  change.why AS why,
  run.started_at AS slept,
  run.id AS run,
  about
ORDER BY change.number, change.at, change.id
LIMIT 500
