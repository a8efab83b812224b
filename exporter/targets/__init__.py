"""Engines: which formats they get, where, and in which orientation."""
