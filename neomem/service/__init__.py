"""The warm process: memory for agents and programs over HTTP, MCP and hooks."""
