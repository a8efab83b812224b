"""Algorithms on grids: regions, distances, lines, neighbours, bit rows."""
