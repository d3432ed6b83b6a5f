"""Fakes for tests: deterministic, small, and honest about what they are."""
