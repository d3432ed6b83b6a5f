// Take an index away.
// scope: all agents
// $name  which
DROP INDEX $name IF EXISTS
