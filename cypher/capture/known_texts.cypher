// Which of some texts are kept already: they need no models.
// A turn that was forgotten stays forgotten when its transcript is read again.
// $agent  whose memories
// $keys   dedupe keys
UNWIND $keys AS key
CALL (key) {
  MATCH (m:Memory {dedupe_key: key})
  RETURN m
  UNION
  MATCH (m:Memory {dedupe_key_kept: key})
  WHERE m.kind = 'turn'
  RETURN m
}
WITH m
WHERE m.agent = $agent
RETURN m.identity AS identity, m.id AS id
