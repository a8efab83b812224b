"""Read tables from files; share code between the formats of tables."""
