// Bring back sessions; one that is there already is left as it is.
// $agent  whose
// $rows   {key, properties}, in key order
UNWIND $rows AS row
MERGE (n:Session {key: row.key})
ON CREATE SET n += row.properties, n.key = row.key, n.agent = $agent
