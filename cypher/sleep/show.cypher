// The changes of a run, in order.
// $agent  whose
// $run    id of the run, or the beginning of it
MATCH (change:SleepChange)
WHERE change.run = $run AND change.agent = $agent
RETURN change.number AS number, change.phase AS phase, change.action AS action, change.about AS about,
  change.why AS why, change.evidence AS evidence, change.at AS at, change.undone_at AS undone_at
ORDER BY number
