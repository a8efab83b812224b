"""Share code between the formats of tables."""
