// Every index of the store and how far it is built.
// scope: all agents
SHOW INDEXES YIELD name, type, state, populationPercent
RETURN name, type, state, populationPercent AS percent
ORDER BY name
