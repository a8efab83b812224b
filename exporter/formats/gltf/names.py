"""Make names for nodes that Godot's import leaves unchanged.

Godot 4.6 interprets words at the end of names: it makes `cart_wheel_2` a VehicleWheel3D called
`cart`. It ignores case, and digits, blanks and underscores after such a word. After a `$` the word
counts anywhere in the name.
"""

from __future__ import annotations

import re

# Endings that make Godot create a static body with a convex shape, one with triangles, a navigation
# region, and a mesh with a static body of its triangles.
COLLISION = "-convcolonly"
GROUND_COLLISION = "-colonly"
NAVIGATION = "-navmesh"
TERRAIN_COLLISION = "-col"
_WORDS = (
    "noimp|occ|occonly|col|colonly|convcol|convcolonly|rigid|navmesh|vehicle|wheel|loop|cycle|"
    "teleport|alpha|vcol"
)
_INSTRUCTION = re.compile(rf"(?:[-_](?:{_WORDS})[\d\s_]*$)|\$", re.I)


def node_name(name: str) -> str:
    """Return `name`, changed so that Godot's import does not interpret it."""
    if not _INSTRUCTION.search(name):
        return name
    return f"{name.replace('$', '')}_object"
