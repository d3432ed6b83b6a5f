// Delete what the journal has of runs that are too old, some of it at a time, by the database's clock.
// $agent   whose
// $days    for which runs are kept
// $limit   changes to delete at once
CALL () {
  MATCH (run:SleepRun {agent: $agent})
  WHERE run.started_at < datetime.realtime() - duration({days: $days}) AND run.status <> 'running'
  MATCH (change:SleepChange {run: run.id})
  WITH change LIMIT $limit
  OPTIONAL MATCH (change)-[:BEFORE]->(image:SleepImage)
  DETACH DELETE image, change
  RETURN count(DISTINCT change) AS deleted
}
CALL () {
  MATCH (run:SleepRun {agent: $agent})
  WHERE run.started_at < datetime.realtime() - duration({days: $days}) AND run.status <> 'running'
    AND NOT EXISTS { MATCH (c:SleepChange {run: run.id}) }
  DELETE run
}
RETURN deleted
