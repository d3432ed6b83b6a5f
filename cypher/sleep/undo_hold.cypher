// Lock what changes have touched, until the undo in the same transaction is through; no row when the lease is lost.
// $agent  whose memories
// $token  of the lease
// $ids    of changes
MATCH (lease:SleepLease {agent: $agent})
SET lease.agent = lease.agent // takes the lock, so that nobody takes the lease over meanwhile
WITH lease
WHERE lease.token = $token AND lease.expires_at > datetime.realtime()
CALL () {
  UNWIND $ids AS id
  MATCH (change:SleepChange {id: id})-[:BEFORE]->(image:SleepImage {label: 'Memory'})
  WHERE change.agent = $agent
  MATCH (m:Memory {id: image.key})
  WHERE m.agent = $agent
  SET m.agent = m.agent
}
CALL () {
  UNWIND $ids AS id
  MATCH (change:SleepChange {id: id})-[:BEFORE]->(image:SleepImage)
  WHERE change.agent = $agent
  MATCH (e:Entity {key: CASE image.label WHEN 'Entity' THEN image.key ELSE image.start END})
  WHERE e.agent = $agent
  SET e.agent = e.agent
}
RETURN lease.expires_at AS until
