// How much an agent has, and how many keys are of a form that no export can carry.
// $agent   whose
// $prefix  what all keys of this agent begin with
RETURN
  COUNT { MATCH (e:Entity {agent: $agent}) } AS entities,
  COUNT { MATCH (s:Session {agent: $agent}) } AS sessions,
  COUNT { MATCH (t:Task {agent: $agent}) } AS tasks,
  COUNT { MATCH (m:Memory {agent: $agent}) } AS memories,
  COUNT { MATCH (e:Entity {agent: $agent}) WHERE NOT e.key STARTS WITH $prefix }
    + COUNT { MATCH (s:Session {agent: $agent}) WHERE NOT s.key STARTS WITH $prefix }
    + COUNT { MATCH (t:Task {agent: $agent}) WHERE NOT t.key STARTS WITH $prefix } AS strays
