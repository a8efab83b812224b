"""Watch a project: export it, and export again whenever a file changes."""
