"""Share samples, ranges and meanings between formats of heights."""
