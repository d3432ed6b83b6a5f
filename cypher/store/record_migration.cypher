// Note that a migration is done; saying it twice changes nothing.
// scope: all agents
MERGE (m:Migration {number: $number})
ON CREATE SET m.name = $name, m.checksum = $checksum, m.applied_at = datetime()
