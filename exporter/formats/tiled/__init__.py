"""Write Tiled's maps and tilesets, as JSON and as XML."""
