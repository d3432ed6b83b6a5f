// A memory and all it is tied to: names, session, task, what came before and after, what it replaced
// $agent  whose memories
// $id     of the memory
MATCH (m:Memory {id: $id})
WHERE m.agent = $agent
OPTIONAL MATCH (m)-[tie:MENTIONS|ABOUT|IN_SESSION|FOR_TASK|NEXT|LINKS|SUPERSEDES|SUMMARISES|SIMILAR]-(other)
WHERE other.agent = $agent
RETURN m, tie, other
LIMIT 100
