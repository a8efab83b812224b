"""Export a project: find stale levels, build them, commit their files."""
