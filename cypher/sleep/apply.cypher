// Apply changes, each whole or not at all, with what an undo needs; no row when the lease is lost.
// A change is passed over when a memory it rests on has another version now, is pinned or gone, or
// when an entity it rests on was merged.
// $agent    whose memories
// $run      id of the run
// $token    of the lease
// $changes  {id, record, expects, unmerged, memories, entities, closes, made, deletes, memory_edges,
//           mentions, entity_edges}
MATCH (lease:SleepLease {agent: $agent})
SET lease.agent = lease.agent // takes the lock, so that nobody takes the lease over meanwhile
WITH lease
WHERE lease.token = $token AND lease.expires_at > datetime.realtime()
MATCH (run:SleepRun {id: $run})
WHERE run.agent = $agent
UNWIND $changes AS row
CALL (row) {
  UNWIND row.expects AS expected
  MATCH (m:Memory {id: expected.id})
  WHERE m.agent = $agent
  SET m.agent = m.agent
  RETURN count(CASE WHEN m.version = expected.version AND NOT m.pinned THEN 1 END) AS fine
}
CALL (row) {
  UNWIND row.unmerged AS key
  MATCH (e:Entity {key: key})
  WHERE e.agent = $agent
  SET e.agent = e.agent
  RETURN count(CASE WHEN NOT EXISTS { (e)-[:MERGED_INTO]->() } THEN 1 END) AS standing
}
WITH run, row, fine = size(row.expects) AND standing = size(row.unmerged) AS holds
CALL (run, row, holds) {
  WITH run, row
  WHERE holds
  SET run.changes = run.changes + 1
  CREATE (change:SleepChange {id: row.id, agent: $agent, run: $run, at: datetime.realtime()})
  SET change += row.record
  CALL (row, change) {
    UNWIND row.memories AS edit
    MATCH (m:Memory {id: edit.key})
    WHERE m.agent = $agent
    CREATE (change)-[:BEFORE]->(image:SleepImage {
      agent: $agent, label: 'Memory', key: edit.key, keys: keys(edit.set), counters: keys(edit.add)
    })
    FOREACH (name IN keys(edit.set) |
      SET image['before_' + name] = m[name], image['after_' + name] = edit.set[name]
    )
    FOREACH (name IN keys(edit.add) | SET image['add_' + name] = edit.add[name])
    SET m += edit.set
    FOREACH (name IN keys(edit.add) | SET m[name] = coalesce(m[name], 0) + edit.add[name])
  }
  CALL (row, change) {
    UNWIND row.entities AS edit
    MATCH (e:Entity {key: edit.key})
    WHERE e.agent = $agent
    CREATE (change)-[:BEFORE]->(image:SleepImage {
      agent: $agent, label: 'Entity', key: edit.key, keys: keys(edit.set), counters: []
    })
    FOREACH (name IN keys(edit.set) |
      SET image['before_' + name] = e[name], image['after_' + name] = edit.set[name]
    )
    SET e += edit.set
  }
  CALL (row, change) {
    UNWIND row.closes AS closing
    MATCH (e:Entity {key: closing.source})-[r:RELATES]->(:Entity)
    WHERE e.agent = $agent AND r.id = closing.id
    CREATE (change)-[:BEFORE]->(image:SleepImage {
      agent: $agent, label: 'RELATES', key: closing.id, start: closing.source, keys: ['valid_until'], counters: [],
      after_valid_until: closing.valid_until
    })
    SET image.before_valid_until = r.valid_until, r.valid_until = closing.valid_until
  }
  CALL (row, change) {
    UNWIND row.made AS made
    MERGE (e:Entity {key: made.key})
      ON CREATE SET e += made.properties, e.agent = $agent, e.made_by = row.id
    WITH change, e
    WHERE e.made_by = row.id
    REMOVE e.made_by
    CREATE (change)-[:BEFORE]->(:SleepImage {agent: $agent, label: 'Entity', key: e.key, made: true})
  }
  CALL (row, change) {
    UNWIND row.memories_made AS id
    CREATE (change)-[:BEFORE]->(:SleepImage {agent: $agent, label: 'Memory', key: id, made: true})
  }
  CALL (row) {
    UNWIND row.memory_edges AS edge
    MATCH (a:Memory {id: edge.start})
    MATCH (b:Memory {id: edge.end})
    WHERE a.agent = $agent AND b.agent = $agent
      AND NOT EXISTS { MATCH (a)-[known]->(b) WHERE type(known) = edge.type }
    CREATE (a)-[r:$(edge.type)]->(b)
    SET r = edge.properties, r.sleep_run = $run, r.sleep_change = row.id
  }
  CALL (row) {
    UNWIND row.mentions AS edge
    MATCH (a:Memory {id: edge.start})
    MATCH (b:Entity {key: edge.end})
    WHERE a.agent = $agent AND b.agent = $agent
      AND NOT EXISTS { MATCH (a)-[known]->(b) WHERE type(known) = edge.type }
    CREATE (a)-[r:$(edge.type)]->(b)
    SET r = edge.properties, r.sleep_run = $run, r.sleep_change = row.id
  }
  CALL (row) {
    UNWIND row.entity_edges AS edge
    MATCH (a:Entity {key: edge.start})
    MATCH (b:Entity {key: edge.end})
    WHERE a.agent = $agent AND b.agent = $agent
    CREATE (a)-[r:$(edge.type)]->(b)
    SET r = edge.properties, r.sleep_run = $run, r.sleep_change = row.id
  }
  CALL (row, change) {
    UNWIND row.deletes AS gone
    CALL (gone) {
      MATCH (n:Memory {id: gone.key})
      WHERE gone.label = 'Memory' AND n.agent = $agent
      RETURN n
      UNION
      MATCH (n:Entity {key: gone.key})
      WHERE gone.label = 'Entity' AND n.agent = $agent
      RETURN n
    }
    CREATE (change)-[:BEFORE]->(image:SleepImage {
      agent: $agent, label: gone.label, key: gone.key, keys: keys(n), counters: [], deleted: true
    })
    FOREACH (name IN keys(n) | SET image['before_' + name] = n[name])
    CALL (n, change) {
      MATCH (n)-[r]-()
      WITH DISTINCT change, r, startNode(r) AS a, endNode(r) AS b
      CREATE (change)-[:BEFORE]->(image:SleepImage {
        agent: $agent, label: type(r), key: coalesce(a.key, a.id), keys: keys(r), counters: [], edge: true,
        start_label: head(labels(a)), end_label: head(labels(b)), end: coalesce(b.key, b.id)
      })
      FOREACH (name IN keys(r) | SET image['before_' + name] = r[name])
    }
    DETACH DELETE n
  }
}
RETURN row.id AS id, holds
