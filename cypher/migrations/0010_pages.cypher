// An agent's entities and sessions in the order of their keys, page by page.
CREATE INDEX entity_page IF NOT EXISTS
FOR (e:Entity) ON (e.agent, e.key);

CREATE INDEX session_page IF NOT EXISTS
FOR (s:Session) ON (s.agent, s.key);
