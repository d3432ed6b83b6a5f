// What a person has undone and sleep does not do again: fingerprints of changes.
// $agent  whose memories
MATCH (change:SleepChange)
WHERE change.agent = $agent AND change.undone_at IS NOT NULL AND change.fingerprint IS NOT NULL
RETURN collect(change.fingerprint) AS fingerprints
