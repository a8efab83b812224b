"""Define the largest allowed sizes of levels and of their input files."""

from __future__ import annotations

# Cells in a row or a column, in one layer, and in all layers of a level.
MAXIMUM_SIDE = 8192
MAXIMUM_CELLS = 1 << 24
MAXIMUM_TOTAL_CELLS = 4 * MAXIMUM_CELLS
# Cells in a row or a column of a world.
MAXIMUM_WORLD_SIDE = 65536
# Chunks of a world, and the sides that they can have. Each chunk takes some 10 KB of memory.
MAXIMUM_PARTS = 1 << 16
PART_SIDES = (64, 128, 256, 512, 1024, 2048)
MAXIMUM_LAYERS = 64
# A puzzle given in a spec is solved when the spec is read, to prove that it can be.
MAXIMUM_PUZZLES = 256
# Metrics that are required of a level, or of one layer: each may need a walk over all cells.
MAXIMUM_REQUIRED_METRICS = 64

# Bytes of a level spec or an exporter.yaml; of a picture or a table; of any other file that a spec
# names, whose values take many times the bytes of their text; and of all files that a spec names.
MAXIMUM_SPEC_BYTES = 1 << 20
MAXIMUM_INPUT_BYTES = 1 << 26
MAXIMUM_TEXT_BYTES = 1 << 23
MAXIMUM_ALL_INPUT_BYTES = 1 << 28
# Bytes of a file with hand edits, and how many it may hold.
MAXIMUM_EDITS_BYTES = 1 << 22
MAXIMUM_EDITS = 50_000
# Limit of problems reported for one file.
MAXIMUM_PROBLEMS = 50
# Pixels of a side of a picture that engines can hold; larger ones are black, or shrunk.
MAXIMUM_PICTURE_SIDE = 16384
# Pixels of a picture, which are counted before it is decoded.
MAXIMUM_PIXELS = 1 << 24
