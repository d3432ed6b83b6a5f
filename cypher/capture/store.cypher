// Store memories with their entities, sessions and order; the same rows again change nothing.
// Sessions are locked first, so that NEXT cannot fork; entities are merged in key order, and one that
// exists is not written to, since a speaker's node would make every capture wait for the others.
// Vectors of another embedder than the store's are refused: then there is no row.
// $agent     whose memories
// $now       time of this capture
// $sessions  {key, id, from, until}, in key order
// $rows      {id, dedupe_key, turn, properties, embedding, session_key, task}
// $entities  {key, name, type, lane}, in key order
// $links     {memory, key, confidence, about}: what is named in what
// $model, $dimensions  of the vectors
MERGE (space:EmbeddingSpace {name: 'store'}) // a shared lock: the store's embedder stays what it is
WITH space
WHERE space.model = $model AND space.dimensions = $dimensions AND space.becoming_model IS NULL
CALL () {
  UNWIND $sessions AS row
  MERGE (s:Session {key: row.key})
    ON CREATE SET s.agent = $agent, s.id = row.id, s.started_at = row.from, s.ended_at = row.until
  WITH s, row
  WHERE s.agent = $agent
  SET s.started_at = CASE WHEN row.from < s.started_at THEN row.from ELSE s.started_at END,
      s.ended_at = CASE WHEN row.until > s.ended_at THEN row.until ELSE s.ended_at END
  RETURN count(s) AS sessions
}
CALL () {
  UNWIND $rows AS row
  MERGE (m:Memory {dedupe_key: row.dedupe_key})
    ON CREATE SET m += row.properties, m.id = row.id, m.agent = $agent, m.created_at = $now
    ON MATCH SET m.seen = m.seen + CASE WHEN m.id = row.id OR row.turn OR m.agent <> $agent THEN 0 ELSE 1 END,
                 m.last_seen_at = CASE
                   WHEN m.id = row.id OR row.turn OR m.agent <> $agent THEN m.last_seen_at ELSE $now END
  WITH m, row, m.id = row.id AS mine
  WHERE m.agent = $agent
  CALL (m, row, mine) {
    WITH m, row, mine
    WHERE mine AND row.embedding IS NOT NULL
    CALL db.create.setNodeVectorProperty(m, 'embedding', row.embedding)
  }
  CALL (m, row, mine) {
    WITH m, row, mine
    WHERE mine AND row.task IS NOT NULL
    MERGE (t:Task {key: row.task.key})
      ON CREATE SET t.agent = $agent, t.id = row.task.id, t.title = row.task.title, t.status = row.task.status
    WITH m, t
    WHERE t.agent = $agent
    MERGE (m)-[:FOR_TASK]->(t)
  }
  RETURN collect({id: row.id, kept: m.id}) AS stored
}
CALL () {
  UNWIND $entities AS row
  MERGE (e:Entity {key: row.key})
    ON CREATE SET e.agent = $agent, e.name = row.name, e.type = row.type, e.lane = row.lane, e.aliases = []
  WITH e, row
  WHERE e.retired_at IS NOT NULL AND e.agent = $agent // sleep had set it aside
  SET e.lane = row.lane
  REMOVE e.retired_at
  RETURN count(e) AS entities
}
CALL () {
  UNWIND $links AS link
  MATCH (m:Memory {id: link.memory})
  MATCH (named:Entity {key: link.key})
  USING INDEX named:Entity(key)
  WHERE m.agent = $agent AND named.agent = $agent
  OPTIONAL MATCH (named)-[:MERGED_INTO*1..5]->(now:Entity)
  WHERE NOT (now)-[:MERGED_INTO]->()
  WITH m, coalesce(now, named) AS e, max(link.confidence) AS confidence, any(a IN collect(link.about) WHERE a) AS about
  MERGE (m)-[mention:MENTIONS]->(e)
    ON CREATE SET mention.confidence = confidence
  WITH m, e, confidence, about
  WHERE about
  MERGE (m)-[subject:ABOUT]->(e)
    ON CREATE SET subject.confidence = confidence
  RETURN count(subject) AS subjects
}
CALL () {
  UNWIND $rows AS row
  WITH row
  WHERE row.turn
  MATCH (m:Memory {id: row.id})
  MATCH (s:Session {key: row.session_key})
  USING INDEX s:Session(key)
  WHERE m.agent = $agent AND s.agent = $agent
  MERGE (m)-[:IN_SESSION]->(s)
  WITH m
  ORDER BY m.session_key, m.turn_order
  CALL (m) {
    OPTIONAL MATCH (before:Memory)
    WHERE before.session_key = m.session_key AND before.turn_order < m.turn_order
      AND before.agent = $agent
    RETURN before ORDER BY before.turn_order DESC LIMIT 1
  }
  CALL (m) {
    OPTIONAL MATCH (after:Memory)
    WHERE after.session_key = m.session_key AND after.turn_order > m.turn_order
      AND after.agent = $agent
    RETURN after ORDER BY after.turn_order LIMIT 1
  }
  CALL (m, before) {
    OPTIONAL MATCH (before)-[passed:NEXT]->(other)
    WHERE other <> m
    DELETE passed
  }
  CALL (m, after) {
    OPTIONAL MATCH (other)-[passed:NEXT]->(after)
    WHERE other <> m
    DELETE passed
  }
  CALL (m, before) {
    WITH m, before
    WHERE before IS NOT NULL
    MERGE (before)-[:NEXT]->(m)
  }
  CALL (m, after) {
    WITH m, after
    WHERE after IS NOT NULL
    MERGE (m)-[:NEXT]->(after)
  }
  RETURN count(m) AS turns
}
UNWIND stored AS row
RETURN row.id AS id, row.kept AS kept
