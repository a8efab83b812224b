"""Write Unity's own files: import settings, guids, tileset data."""
