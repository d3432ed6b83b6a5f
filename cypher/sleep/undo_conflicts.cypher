// What changes left that is not as they left it: which properties of what differ, or what is in the way.
// $agent  whose memories
// $ids    of changes of one run
UNWIND $ids AS id
MATCH (change:SleepChange {id: id})
WHERE change.agent = $agent AND change.undone_at IS NULL
MATCH (change)-[:BEFORE]->(image:SleepImage)
WHERE image.edge IS NULL
OPTIONAL MATCH (m:Memory {id: image.key})
WHERE image.label = 'Memory' AND m.agent = $agent
OPTIONAL MATCH (e:Entity {key: image.key})
WHERE image.label = 'Entity' AND e.agent = $agent
OPTIONAL MATCH (:Entity {key: image.start})-[r:RELATES]->(:Entity)
WHERE image.label = 'RELATES' AND r.id = image.key
WITH change, image, coalesce(m, e) AS n, properties(coalesce(m, e, r)) AS now
OPTIONAL MATCH (taken:Memory {dedupe_key: image.before_dedupe_key})
WHERE taken.id <> image.key
WITH change, image, now, taken.id AS taken, CASE
  WHEN image.deleted THEN []
  WHEN image.made THEN [name IN ['version'] WHERE n:Memory AND (n.version <> 1 OR n.pinned)]
  ELSE [
    name IN image.keys
    WHERE NOT coalesce(
      now[name] = image['after_' + name], now[name] IS NULL AND image['after_' + name] IS NULL)
  ]
END AS names, n:Memory AND image.made AND EXISTS {
  MATCH (n)-[other:SUPERSEDES|SUMMARISES|SIMILAR|LINKS|FOR_TASK]-()
  WHERE coalesce(other.sleep_run <> change.run, true)
} AS used
RETURN
  change.number AS number, image.label AS label, image.key AS key, coalesce(image.keys, []) AS keys, names, used, taken,
  coalesce(image.deleted, false) AS deleted, now IS NULL AS gone
