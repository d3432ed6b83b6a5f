// Say that a sleeper is alive; no row when somebody else has taken its place.
// $agent         whose memories
// $token         of the sleeper
// $milliseconds  after which it would be replaced
MATCH (lease:SleepLease {agent: $agent})
SET lease.agent = lease.agent // takes the lock
WITH lease
WHERE lease.token = $token
SET lease.expires_at = datetime.realtime() + duration({milliseconds: $milliseconds})
RETURN lease.expires_at AS until
