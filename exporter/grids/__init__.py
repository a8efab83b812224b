"""What many rooms need of grids: neighbours, regions, distances, lines, bit rows."""
