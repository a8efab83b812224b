"""Define the roles of layers: what a layer is for.

They are in a separate module so that specs are read without importing numpy.
"""

from __future__ import annotations

from typing import Literal

# play: seen and walked on; picture: only seen; data: for programs; none: only for other layers.
LayerRole = Literal["play", "picture", "data", "none"]
# The roles of layers that engines draw.
SEEN_ROLES: frozenset[LayerRole] = frozenset({"play", "picture"})
