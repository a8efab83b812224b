"""List Godot's isometric shape and layout, and its names of neighbours."""

from __future__ import annotations

# The shape, and the layout in which x goes right and down, and y left and down.
ISOMETRIC, DIAMOND_DOWN = 1, 5

# Of a square, clockwise from the top: the order of an autotile mask's bits.
PEERING_BITS = (
    "top_side",
    "top_right_corner",
    "right_side",
    "bottom_right_corner",
    "bottom_side",
    "bottom_left_corner",
    "left_side",
    "top_left_corner",
)
# The same neighbours of a diamond in that layout.
ISOMETRIC_PEERING_BITS = (
    "top_right_side",
    "right_corner",
    "bottom_right_side",
    "bottom_corner",
    "bottom_left_side",
    "left_corner",
    "top_left_side",
    "top_corner",
)
