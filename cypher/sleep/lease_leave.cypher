// Give a lease back.
// $agent  whose memories
// $token  of the sleeper
MATCH (lease:SleepLease {agent: $agent})
WHERE lease.token = $token
REMOVE lease.token
RETURN count(lease) AS left
