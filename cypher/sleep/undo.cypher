// Undo changes, the last first, exactly; those undone before are left alone. `undo_hold` comes before it.
// $agent  whose memories
// $ids    of changes, in the order they are undone in
// $moving properties that recall and capture go on writing: one they have written since stays
UNWIND $ids AS id
MATCH (change:SleepChange {id: id})
WHERE change.agent = $agent AND change.undone_at IS NULL
SET change.undone_at = datetime.realtime()
CALL (change) {
  MATCH (change)-[:BEFORE]->(image:SleepImage {label: 'Entity'})
  WHERE image.deleted
  MERGE (e:Entity {key: image.key}) // told to, undo takes one over that is there again
  FOREACH (name IN image.keys | SET e[name] = image['before_' + name])
}
CALL (change) {
  MATCH (change)-[:BEFORE]->(image:SleepImage {label: 'Memory'})
  WHERE image.deleted
  OPTIONAL MATCH (taken:Memory {dedupe_key: image.before_dedupe_key})
  CREATE (m:$(image.label))
  FOREACH (name IN [n IN image.keys WHERE n <> 'dedupe_key' OR taken IS NULL] |
    SET m[name] = image['before_' + name]
  )
}
CALL (change) {
  MATCH (change)-[:BEFORE]->(image:SleepImage {label: 'Memory'})
  WHERE image.made IS NULL AND image.deleted IS NULL
  MATCH (m:Memory {id: image.key})
  WHERE m.agent = $agent
  OPTIONAL MATCH (taken:Memory {dedupe_key: image.before_dedupe_key})
  WHERE taken <> m
  FOREACH (name IN [
    n IN image.keys
    WHERE (NOT n IN $moving OR m[n] = image['after_' + n]) AND (n <> 'dedupe_key' OR taken IS NULL)
  ] |
    SET m[name] = image['before_' + name]
  )
  FOREACH (name IN image.counters | SET m[name] = m[name] - image['add_' + name])
}
CALL (change) {
  MATCH (change)-[:BEFORE]->(image:SleepImage {label: 'Entity'})
  WHERE image.made IS NULL AND image.deleted IS NULL
  MATCH (e:Entity {key: image.key})
  WHERE e.agent = $agent
  FOREACH (name IN image.keys | SET e[name] = image['before_' + name])
}
CALL (change) {
  MATCH (change)-[:BEFORE]->(image:SleepImage {label: 'RELATES'})
  WHERE image.edge IS NULL
  MATCH (e:Entity {key: image.start})-[r:RELATES]->(:Entity)
  WHERE e.agent = $agent AND r.id = image.key
  SET r.valid_until = image.before_valid_until
}
CALL (change) {
  UNWIND change.memory_starts AS start
  MATCH (m:Memory {id: start})-[r]->()
  WHERE m.agent = $agent AND r.sleep_change = change.id
  DELETE r
}
CALL (change) {
  UNWIND change.entity_starts AS start
  MATCH (e:Entity {key: start})-[r]->()
  WHERE e.agent = $agent AND r.sleep_change = change.id
  DELETE r
}
CALL (change) {
  MATCH (change)-[:BEFORE]->(image:SleepImage)
  WHERE image.edge
  CALL (image) {
    MATCH (a:Memory {id: image.key}) WHERE image.start_label = 'Memory' RETURN a
    UNION
    MATCH (a:Entity {key: image.key}) WHERE image.start_label = 'Entity' RETURN a
  }
  CALL (image) {
    MATCH (b:Memory {id: image.end}) WHERE image.end_label = 'Memory' RETURN b
    UNION
    MATCH (b:Entity {key: image.end}) WHERE image.end_label = 'Entity' RETURN b
    UNION
    MATCH (b:Session {key: image.end}) WHERE image.end_label = 'Session' RETURN b
    UNION
    MATCH (b:Task {key: image.end}) WHERE image.end_label = 'Task' RETURN b
  }
  WITH image, a, b
  WHERE a.agent = $agent AND b.agent = $agent
  CREATE (a)-[r:$(image.label)]->(b)
  FOREACH (name IN image.keys | SET r[name] = image['before_' + name])
}
CALL (change) {
  MATCH (change)-[:BEFORE]->(image:SleepImage {label: 'Memory'})
  WHERE image.made
  MATCH (m:Memory {id: image.key})
  WHERE m.agent = $agent
  DETACH DELETE m
}
CALL (change) {
  MATCH (change)-[:BEFORE]->(image:SleepImage {label: 'Entity'})
  WHERE image.made
  MATCH (e:Entity {key: image.key})
  WHERE e.agent = $agent AND NOT EXISTS { (e)--() } // one that others use by now stays
  DELETE e
}
RETURN change.id AS id
