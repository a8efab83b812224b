"""Names of nodes that Godot's import leaves as they are.

Godot 4.6 takes the ends of names for instructions: `cart_wheel_2` becomes a VehicleWheel3D called
`cart`. Case, digits, blanks and underscores behind such a word do not count, and after a `$` it
counts anywhere.
"""

from __future__ import annotations

import re

# What Godot makes a static body with one convex shape of, one with triangles, a navigation region,
# and a mesh with a static body of its triangles.
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
    """Return a name that says nothing to Godot."""
    if not _INSTRUCTION.search(name):
        return name
    return f"{name.replace('$', '')}_object"
