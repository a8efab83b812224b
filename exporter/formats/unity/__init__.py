"""Write Unity's own files: import settings, guids and tileset data."""
