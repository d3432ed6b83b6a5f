// Delete all that an agent has, for good.
// $agent  whose
CALL () {
  MATCH (n:Memory)
  WHERE n.agent = $agent AND n.created_at IS NOT NULL
  DETACH DELETE n
  RETURN count(*) AS memories
}
CALL () {
  MATCH (n:Entity|Session|Task|Folder|SleepRun|SleepChange|SleepImage|SleepLease)
  WHERE n.agent = $agent
  DETACH DELETE n
  RETURN count(*) AS others
}
RETURN memories, others
