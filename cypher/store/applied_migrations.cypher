// Migrations this store has had, in order.
// scope: all agents
MATCH (m:Migration)
RETURN m.number AS number, m.name AS name, m.checksum AS checksum, m.applied_at AS applied_at
ORDER BY number
