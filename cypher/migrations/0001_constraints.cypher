// What is unique: safe captures from several processes rest on these.
CREATE CONSTRAINT migration_number IF NOT EXISTS
FOR (m:Migration) REQUIRE m.number IS UNIQUE;

CREATE CONSTRAINT embedding_space_name IF NOT EXISTS
FOR (s:EmbeddingSpace) REQUIRE s.name IS UNIQUE;

CREATE CONSTRAINT memory_id IF NOT EXISTS
FOR (m:Memory) REQUIRE m.id IS UNIQUE;

CREATE CONSTRAINT memory_dedupe_key IF NOT EXISTS
FOR (m:Memory) REQUIRE m.dedupe_key IS UNIQUE;

CREATE CONSTRAINT entity_key IF NOT EXISTS
FOR (e:Entity) REQUIRE e.key IS UNIQUE;

CREATE CONSTRAINT session_key IF NOT EXISTS
FOR (s:Session) REQUIRE s.key IS UNIQUE;

CREATE CONSTRAINT task_key IF NOT EXISTS
FOR (t:Task) REQUIRE t.key IS UNIQUE;

CREATE CONSTRAINT sleep_run_id IF NOT EXISTS
FOR (r:SleepRun) REQUIRE r.id IS UNIQUE;

CREATE CONSTRAINT sleep_change_id IF NOT EXISTS
FOR (c:SleepChange) REQUIRE c.id IS UNIQUE;
