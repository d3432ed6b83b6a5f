// Let a merged entity stand for itself again: what the merge joined to the other is taken off it.
// What was captured since and joined to the other stays there.
// $agent  whose
// $key    of the merged entity
MATCH (gone:Entity {key: $key})-[merged:MERGED_INTO]->(kept:Entity)
WHERE gone.agent = $agent AND kept.agent = $agent
CALL (gone, kept) {
  MATCH (kept)-[r:MENTIONS|ABOUT|RELATES]-()
  WHERE r.merged_from_key = gone.key
  DELETE r
}
CALL (merged) {
  MATCH (change:SleepChange {id: merged.sleep_change})
  WHERE change.agent = $agent
  SET change.undone_at = datetime.realtime()
}
SET kept.aliases = [name IN kept.aliases WHERE NOT name IN gone.aliases + gone.name]
DELETE merged
RETURN kept.name AS into
