// Memories with all that a merge unites.
// $agent  whose
// $ids    which
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WHERE m.agent = $agent AND m.live = true AND NOT m.pinned
RETURN m.id AS id, m.version AS version, m.text AS text, m.created_at AS created_at, m.event_at AS event_at,
  m.valid_from AS valid_from, m.importance AS importance, m.lasting AS lasting, m.seen AS seen,
  m.retrievals AS retrievals, m.last_retrieved_at AS last_retrieved_at, m.last_seen_at AS last_seen_at,
  m.dedupe_key AS dedupe_key,
  [(m)-[r:LINKS]->(n:Memory) | ['LINKS', 'Memory', n.id, null]]
    + [(m)-[r:MENTIONS|ABOUT]->(n:Entity) | [type(r), 'Entity', n.key, r.confidence]] AS links
