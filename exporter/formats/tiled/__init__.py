"""Tiled's own files: maps and tilesets, as JSON and as XML."""
