"""What the formats of tables share."""
