// Version and edition of the server, and its clock.
// scope: all agents
CALL dbms.components() YIELD name, versions, edition
WITH versions, edition WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition, datetime() AS now
