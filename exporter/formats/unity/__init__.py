"""Unity's own files: import settings, guids, and the description of a tileset for its importer."""
