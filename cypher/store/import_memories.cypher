// Bring back memories as they were; one that is there already is left as it is.
// $agent  whose
// $rows   {id, properties, vectors: [{name, values}]}
UNWIND $rows AS row
MERGE (m:Memory {id: row.id})
ON CREATE SET m += row.properties, m.id = row.id, m.agent = $agent
WITH m, row
WHERE m.agent = $agent
UNWIND row.vectors AS vector
CALL db.create.setNodeVectorProperty(m, vector.name, vector.values)
