// Sessions that ended before a time and have live turns, a page at a time.
// $agent   whose
// $before  ended earlier
// $least   live turns at least
// $after   the last key of the page before
// $limit   rows to return
MATCH (s:Session)
USING INDEX s:Session(agent, key)
WHERE s.agent = $agent AND s.key > $after AND s.ended_at < $before
WITH s, COUNT {
  MATCH (s)<-[:IN_SESSION]-(m:Memory)
  WHERE m.live = true AND m.kind = 'turn' AND NOT m.pinned AND NOT m.lasting AND m.embedding IS NOT NULL
    AND NOT EXISTS { (m)-[:AMENDS]->() }
} AS turns
WHERE turns >= $least
RETURN s.key AS id
ORDER BY s.agent, s.key
LIMIT $limit
