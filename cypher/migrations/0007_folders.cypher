// Which files and folders an agent has registered, by ingesting or pinning them.
CREATE CONSTRAINT folder_key IF NOT EXISTS
FOR (f:Folder) REQUIRE f.key IS UNIQUE;

CREATE INDEX folder_agent IF NOT EXISTS
FOR (f:Folder) ON (f.agent);
