// One sleeper an agent; the journal by run and by what it is about; an agent's memories in the order
// of their ids, page by page.
CREATE CONSTRAINT sleep_lease_agent IF NOT EXISTS
FOR (l:SleepLease) REQUIRE l.agent IS UNIQUE;

CREATE INDEX sleep_change_run IF NOT EXISTS
FOR (c:SleepChange) ON (c.run, c.number);

CREATE INDEX sleep_image_key IF NOT EXISTS
FOR (i:SleepImage) ON (i.agent, i.key);

CREATE INDEX memory_agent IF NOT EXISTS
FOR (m:Memory) ON (m.agent, m.id);
