// Take an agent's lease, unless somebody holds it who was heard of in time, by the database's clock.
// $agent         whose memories
// $token         known to the holder alone
// $holder        who that is, for people
// $milliseconds  after which a holder that went silent is replaced
MERGE (lease:SleepLease {agent: $agent})
SET lease.agent = lease.agent // takes the lock
WITH lease, datetime.realtime() AS now
// One that would last longer than it was given for is from before the clock was set back.
WITH lease, now, lease.token IS NOT NULL AND lease.expires_at > now
  AND lease.expires_at <= now + duration({milliseconds: lease.milliseconds}) AS held
FOREACH (_ IN CASE WHEN held THEN [] ELSE [1] END |
  SET lease.token = $token, lease.holder = $holder, lease.milliseconds = $milliseconds, lease.taken_at = now,
      lease.expires_at = now + duration({milliseconds: $milliseconds})
)
RETURN NOT held AS mine, lease.holder AS holder, lease.taken_at AS since
