// Memories that say nearly the same, as sleep has found them
// $agent  whose memories
MATCH (one:Memory)-[alike:SIMILAR]-(other:Memory)
WHERE one.agent = $agent AND other.agent = $agent AND one.live = true AND other.live = true AND one.id < other.id
WITH one, other, max(alike.score) AS score
ORDER BY score DESC, one.id
LIMIT 50
RETURN round(score, 3) AS alike, one.text AS one, other.text AS other, one.id AS one_id, other.id AS other_id
