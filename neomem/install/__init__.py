"""Giving an agent its memory: what its settings need, added and taken away again."""
