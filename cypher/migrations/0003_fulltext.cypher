// Words: stemmed for language, whole for code symbols and ids; `lane` is the agent as one token.
// $analyzer  the store's language, as Neo4j names its analyzers
CREATE FULLTEXT INDEX memory_words IF NOT EXISTS
FOR (m:Memory) ON EACH [m.text, m.context, m.lane]
OPTIONS {indexConfig: {`fulltext.analyzer`: $analyzer, `fulltext.eventually_consistent`: false}};

CREATE FULLTEXT INDEX memory_tokens IF NOT EXISTS
FOR (m:Memory) ON EACH [m.text, m.lane]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};

CREATE FULLTEXT INDEX entity_names IF NOT EXISTS
FOR (e:Entity) ON EACH [e.name, e.aliases, e.lane]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding', `fulltext.eventually_consistent`: false}};
