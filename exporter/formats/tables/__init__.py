"""Read tables from files, and share code between their formats."""
