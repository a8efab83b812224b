"""Reads what a user writes: YAML with positions, checked into frozen dataclasses."""
