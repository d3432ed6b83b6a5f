// Everybody who has memories.
// scope: all agents
MATCH (m:Memory)
RETURN DISTINCT m.agent AS agent
ORDER BY agent
