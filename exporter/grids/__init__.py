"""Provide algorithms on grids: regions, distances, lines, rooms, bit rows."""
