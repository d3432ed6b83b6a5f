// What an agent's store holds, in figures.
// $agent  whose
RETURN
  COUNT {
    MATCH (e:Entity) WHERE e.agent = $agent AND e.retired_at IS NULL AND NOT EXISTS { (e)-[:MERGED_INTO]->() }
  } AS entities,
  COUNT { MATCH (s:Session) WHERE s.agent = $agent } AS sessions,
  COUNT { MATCH (t:Task) WHERE t.agent = $agent } AS tasks,
  COLLECT {
    MATCH (m:Memory)
    WHERE m.agent = $agent
    WITH
      m.kind AS kind,
      count(CASE WHEN m.live THEN 1 END) AS live,
      count(m.archived_at) AS archived,
      count(CASE WHEN m.quarantined AND m.archived_at IS NULL THEN 1 END) AS quarantined,
      count(CASE WHEN m.pinned THEN 1 END) AS pinned,
      min(CASE WHEN m.live THEN m.created_at END) AS oldest,
      max(CASE WHEN m.live THEN m.created_at END) AS newest
    ORDER BY kind
    RETURN {
      kind: kind, live: live, archived: archived, quarantined: quarantined, pinned: pinned,
      oldest: oldest, newest: newest
    }
  } AS kinds
