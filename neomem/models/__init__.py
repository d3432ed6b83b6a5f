"""Doors to what models need; for now, the locked downloads."""
