"""Defold's files as text of protocol buffers, and what its scripts read."""
