// What lists and pages walk along: always inside one agent.
CREATE INDEX memory_created IF NOT EXISTS
FOR (m:Memory) ON (m.agent, m.created_at);

CREATE INDEX memory_event IF NOT EXISTS
FOR (m:Memory) ON (m.agent, m.event_at);

CREATE INDEX memory_kind IF NOT EXISTS
FOR (m:Memory) ON (m.agent, m.kind);

CREATE INDEX memory_path IF NOT EXISTS
FOR (m:Memory) ON (m.agent, m.path);

CREATE INDEX memory_task IF NOT EXISTS
FOR (m:Memory) ON (m.agent, m.task_id);

CREATE INDEX entity_agent IF NOT EXISTS
FOR (e:Entity) ON (e.agent);

CREATE INDEX session_agent IF NOT EXISTS
FOR (s:Session) ON (s.agent);

CREATE INDEX task_agent IF NOT EXISTS
FOR (t:Task) ON (t.agent);

CREATE INDEX sleep_run_agent IF NOT EXISTS
FOR (r:SleepRun) ON (r.agent);
