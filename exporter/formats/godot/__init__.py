"""Write Godot's own files: scenes, TileSets, import settings and uids."""
