"""The door to Neo4j: queries, connection, schema, and a server of our own."""
