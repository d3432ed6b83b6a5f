// Why these were recalled: what ties them to the question
// $agent  whose memories
// $ids    of the memories
// $names  that the question has
MATCH (m:Memory)
WHERE m.id IN $ids AND m.agent = $agent
WITH collect(m) AS hits
UNWIND hits AS m
OPTIONAL MATCH (m)-[tie:MENTIONS|ABOUT]->(e:Entity)
WHERE e.agent = $agent
  // A name that two of them share is the way from one to the other.
  AND (e.name IN $names OR count { MATCH (other)-[:MENTIONS]->(e) WHERE other IN hits } > 1)
RETURN m, tie, e
