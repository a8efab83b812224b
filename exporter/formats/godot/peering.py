"""Name the neighbours of a tile in a terrain of Godot."""

from __future__ import annotations

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
