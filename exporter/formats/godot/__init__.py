"""Godot's own files: scene, TileSet, import settings and uids."""
