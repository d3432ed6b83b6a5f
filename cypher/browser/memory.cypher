// A memory and what it is tied to
// $agent  whose memories
// $id     of the memory
MATCH (m:Memory {id: $id})
WHERE m.agent = $agent
OPTIONAL MATCH (m)-[tie:MENTIONS|ABOUT|IN_SESSION|FOR_TASK|NEXT|LINKS|SUPERSEDES|SUMMARISES|SIMILAR]-(other)
WHERE other.agent = $agent
RETURN m, tie, other
LIMIT 100
