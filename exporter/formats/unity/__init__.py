"""Unity's own files: import settings, guids, and what its importer is told of a tileset."""
