// Bring archived memories back, all or, when another memory has taken one's place, none.
// $agent      whose memories
// $ids        which, in order
// $live_lane  the agent's lane of what is live
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WHERE m.agent = $agent
SET m.agent = m.agent // changes nothing but takes the lock, so that what is read now stays true
WITH collect(m) AS found
WITH [m IN found WHERE m.archived_at IS NOT NULL] AS memories
CALL (memories) {
  UNWIND memories AS m
  OPTIONAL MATCH (other:Memory {dedupe_key: m.dedupe_key_kept})
  WHERE other.agent = $agent AND other <> m
  WITH m, coalesce(
    other.id,
    head([o IN memories WHERE o <> m AND o.dedupe_key_kept = m.dedupe_key_kept | o.id])
  ) AS by
  WHERE by IS NOT NULL
  RETURN collect({id: m.id, by: by}) AS taken
}
CALL (memories, taken) {
  UNWIND memories AS m
  WITH m
  WHERE taken = []
  CREATE (:SleepChange {
    id: randomUUID(), agent: $agent, memory_id: m.id, phase: 'by hand', action: 'restore',
    at: datetime(),
    before: '{"archived_at": "' + m.archived_at + '", "live": ' + m.live + ', "version": ' + m.version + '}'
  })
  SET m.live = NOT m.quarantined, m.version = m.version + 1,
      m.lane = CASE WHEN m.quarantined THEN m.lane ELSE $live_lane END,
      m.dedupe_key = m.dedupe_key_kept
  REMOVE m.archived_at, m.dedupe_key_kept
  CALL (m) {
    MATCH (m)-[:MENTIONS|ABOUT]->(e:Entity)
    WHERE e.retired_at IS NOT NULL AND e.agent = $agent // sleep had set it aside
    SET e.lane = $live_lane
    REMOVE e.retired_at
  }
  RETURN collect(m {
    .*, embedding: null, halves: null,
    session: head([(m)-[:IN_SESSION]->(s:Session) | s.id])
  }) AS changed
}
RETURN taken, changed
