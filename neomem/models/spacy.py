"""Names in texts: spaCy's words, rules over them, and every name the graph knows."""
