// The live turns of a session, in order, with their vectors; what amends something stays as it was said.
// $agent    whose
// $session  key of the session
MATCH (s:Session {key: $session})<-[:IN_SESSION]-(m:Memory)
WHERE s.agent = $agent AND m.agent = $agent AND m.live = true AND m.kind = 'turn' AND NOT m.pinned
  AND NOT m.lasting AND m.embedding IS NOT NULL AND NOT EXISTS { (m)-[:AMENDS]->() }
RETURN m.id AS id, m.version AS version, m.text AS text, m.speaker AS speaker, m.importance AS importance,
  m.trust AS trust, m.event_at AS event_at, m.valid_from AS valid_from, m.dedupe_key AS dedupe_key,
  vector(m.embedding, size(m.embedding), FLOAT32) AS embedding, m.turn_order AS turn_order
ORDER BY turn_order, id
