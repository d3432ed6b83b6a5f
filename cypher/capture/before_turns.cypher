// The last turn before each of some places in sessions: the context of what is captured now.
// What is quarantined or forgotten is nobody's context.
// $agent   whose
// $places  {session_key, turn_order}
UNWIND $places AS place
CALL (place) {
  MATCH (m:Memory)
  WHERE m.session_key = place.session_key AND m.turn_order < place.turn_order AND m.agent = $agent
    AND m.live
  RETURN m.text AS text ORDER BY m.turn_order DESC LIMIT 1
}
RETURN place.session_key AS session_key, place.turn_order AS turn_order, text
