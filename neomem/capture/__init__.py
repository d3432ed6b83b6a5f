"""One capture, start to end: what is read from a text before it is stored."""
