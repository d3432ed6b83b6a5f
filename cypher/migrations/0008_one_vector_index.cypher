// Candidates are found by the vector of the memory alone; in context they are only judged, which needs no index.
DROP INDEX memory_context_embedding IF EXISTS;
