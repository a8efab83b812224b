"""Read a user's YAML with positions into checked frozen dataclasses."""
