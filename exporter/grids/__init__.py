"""Provide grid algorithms: regions, distances, paths, lines, rooms, bits."""
