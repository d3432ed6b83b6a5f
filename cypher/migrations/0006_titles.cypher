// Titles are words to search too; a full-text index cannot be changed, so it is made anew.
// $analyzer  the store's language, as Neo4j names its analyzers
DROP INDEX memory_words IF EXISTS;

CREATE FULLTEXT INDEX memory_words IF NOT EXISTS
FOR (m:Memory) ON EACH [m.text, m.title, m.context, m.lane]
OPTIONS {indexConfig: {`fulltext.analyzer`: $analyzer, `fulltext.eventually_consistent`: false}};
