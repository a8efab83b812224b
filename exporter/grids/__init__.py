"""Share grid algorithms: neighbours, regions, distances, lines, bit rows."""
