// An agent's entities in the order of their keys, a page at a time.
// $agent  whose
// $after  the last key of the page before
// $until  what comes after every key of this agent
// $limit  rows to return
MATCH (n:Entity)
USING INDEX n:Entity(key)
WHERE n.key > $after AND n.key < $until AND n.agent = $agent
RETURN n.key AS key, properties(n) AS properties
ORDER BY key
LIMIT $limit
