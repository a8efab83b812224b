"""Levels whose layers have roles, and the expected answers of every reader."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from exporter.model.level import HeightRange, Layer, Level, Tile
from exporter.model.level_values import EMPTY_NAMES, LayerRole

ROLES: tuple[LayerRole, ...] = get_args(LayerRole)
# Walkable or not, opaque or not, and every name that means no tile.
LEGEND = (
    Tile(1, "floor", True, False, "#c8b090"),
    Tile(2, "wall", False, True, "#202428"),
    Tile(3, "door", True, True, "#806030"),
    Tile(4, "water", False, False, "#3366cc"),
    *(
        Tile(number, name, number % 4 == 0, number % 2 == 0, "#00000000")
        for number, name in enumerate(sorted(EMPTY_NAMES), start=10)
    ),
    Tile(300, "far", False, True, "#ff00ff"),
)
OUTSIDE_THE_LEGEND = 9


def level_with_roles(random: np.random.Generator, name: str) -> Level:
    """Return a small level with up to four layers of any role, kind and resolution."""
    height, width = (int(side) for side in random.integers(1, 30, 2))
    layers = [
        _layer(random, f"layer {number}", height, width) for number in range(random.integers(5))
    ]
    return Level(name, width, height, layers={layer.name: layer for layer in layers})


def _layer(random: np.random.Generator, name: str, height: int, width: int) -> Layer:
    role = ROLES[random.integers(len(ROLES)) if random.random() < 0.5 else 0]
    kind = random.random()
    if kind < 0.15:
        samples = random.integers(0, 65536, (height, width)).astype(np.uint16)
        return Layer(
            name,
            "heights",
            samples,
            "test",
            walkable=samples >= 30000,
            heights=HeightRange(),
            role=role,
        )
    if kind < 0.3:
        # Also one of the level's size: it is the flag that counts.
        height, width = height * int(random.integers(1, 3)), width * int(random.integers(1, 3))
    dtype: type[np.uint8 | np.uint16] = np.uint8 if random.random() < 0.5 else np.uint16
    legend = tuple(tile for tile in LEGEND if tile.id <= np.iinfo(dtype).max)
    ids = np.array([*(tile.id for tile in legend), OUTSIDE_THE_LEGEND], dtype)
    weights = random.dirichlet(np.full(ids.size, 0.5))
    return Layer(
        name,
        "tiles",
        random.choice(ids, (height, width), p=weights),
        "test",
        tiles=legend,
        # A file from anywhere may call a layer of another size aligned.
        grid_aligned=kind >= 0.25,
        role=role,
    )


def reported_for(level: Level) -> dict[str, Any]:
    """Return a reader's expected answer about a level; masks as text of `0` and `1`."""
    return {
        "roles": [layer.role for layer in level.layers.values()],
        "aligned": [layer.grid_aligned for layer in level.layers.values()],
        "play": [layer.name for layer in level.play_layers()],
        "seen": [layer.name for layer in level.seen_layers()],
        "walkable": _text(level.walkable()),
        "opaque": _text(level.opaque()),
    }


def _text(mask: np.ndarray) -> str:
    return "".join(mask.astype(int).astype(str).ravel().tolist())
