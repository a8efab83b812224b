"""Write Tiled's maps, tilesets and worlds; read maps and tilesets back."""
