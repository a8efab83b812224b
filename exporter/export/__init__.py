"""Export a project: find stale levels, build them, write their files."""
