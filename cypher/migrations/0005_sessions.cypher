// The turns of a session in their order, so that a late one finds its place at once; what is kept
// aside of the archived, what is pinned, and what was done to a memory.
CREATE INDEX memory_turn IF NOT EXISTS
FOR (m:Memory) ON (m.session_key, m.turn_order);

CREATE INDEX memory_external IF NOT EXISTS
FOR (m:Memory) ON (m.agent, m.external_id);

CREATE INDEX memory_dedupe_key_kept IF NOT EXISTS
FOR (m:Memory) ON (m.dedupe_key_kept);

CREATE INDEX memory_pinned IF NOT EXISTS
FOR (m:Memory) ON (m.agent, m.pinned);

CREATE INDEX sleep_change_memory IF NOT EXISTS
FOR (c:SleepChange) ON (c.agent, c.memory_id);
