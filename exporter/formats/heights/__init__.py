"""Share code between the formats of heights."""
