"""Read LDtk projects: IntGrid values, tiles and entities.

The bytes of a `.ldtk` file become a `HandMap` of one layer. One module for each concept of the
format, after its published description (versions 1.0 to 1.5): `values` (JSON and its limits),
`definitions`, `project` (worlds and levels), `grids` (cells of a layer), `entities`, `joining`
(levels to one map), `reading` (all together).
"""
