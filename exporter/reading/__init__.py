"""Read a user's YAML into checked dataclasses, with positions for errors."""
