"""Define limits for reading Tiled files, and the error for breaking them."""

from __future__ import annotations

# Bytes of one file. Cells as text take up to ten bytes each.
MAXIMUM_FILE_BYTES = 1 << 25
# Elements of XML, or lists and objects of JSON, in one file.
MAXIMUM_ELEMENTS = 500_000
# Elements inside each other in XML, and groups of layers inside each other.
MAXIMUM_DEPTH = 64
MAXIMUM_GROUPS = 32
MAXIMUM_LAYERS = 1024
MAXIMUM_TILESETS = 1024
# Files that one map leads to: tilesets and templates.
MAXIMUM_FILES = 256
MAXIMUM_CHUNKS = 65536
MAXIMUM_OBJECTS = 65536
# Corners of all polygons of a map.
MAXIMUM_CORNERS = 65536
# Characters of a name; values of one object or tile, and characters of a value.
MAXIMUM_NAME = 1024
MAXIMUM_PROPERTIES = 256
MAXIMUM_TEXT = 65536
# Pixels from the origin at which something may lie.
MAXIMUM_POSITION = 1 << 30


# The fix for a file from an old version or another program.
SAVE_AGAIN = "open it in Tiled 1.10 or newer and save it again"


class TiledError(ValueError):
    """A Tiled file cannot be read.

    The message does not name the file; the caller adds it.
    """
