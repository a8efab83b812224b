"""Write a small example level for the page of each generator.

A generator without required parameters is shown with its defaults. For built-in generators that
read other layers or objects, the specs are in this module. A third-party generator that reads only
layers gets a cave for each of them.
"""

from __future__ import annotations

import dataclasses

from exporter.generators import Generator
from exporter.model.parameters import Refers
from exporter.project.reference import wording

# The layer of an example that its page is about.
DISPLAYED = "example"
_HEAD = "size: [48, 32]\nseed: 7\nlayers:\n"
_CAVES = "  caves: {generator: irregular_rooms, rooms: 9}\n"
_ROOMS = "  rooms: {generator: bsp_rooms}\n"
_RELIEF = "  relief: {generator: heightmap, island_percent: 100, minimum: -40, maximum: 160}\n"
_LAND = (
    "  land:\n    generator: bands\n    of: relief\n"
    "    steps: [{below: 0, tile: water}, {below: 80, tile: grass}, {tile: mountain}]\n"
)
_CELLS = "  caves: {generator: cellular_caves, connect: guaranteed}\n"
_SIGHT = "visibility: {layer: caves, radius: 8}\n"
_GOAL = "objects:\n  - {name: exit}\n"
_WAY = "objects:\n  - {name: start}\n  - {name: exit, far_from: start}\n"
# Its maps come from files of the user, so no example can be shown.
FROM_FILES = ("from_image", "from_ldtk", "from_tiled")


def _layer(name: str, parameters: str = "") -> str:
    return f"  {DISPLAYED}: {{generator: {name}{parameters and f', {parameters}'}}}\n"


_LAYERS = {
    "ambush": _CAVES + _layer("ambush", "near_radius: 3") + _SIGHT,
    "autotile": _CAVES + _layer("autotile", "of: caves"),
    "bands": (
        f"{_RELIEF}  {DISPLAYED}:\n    generator: bands\n    of: relief\n    steps:\n"
        "      - {below: 0, tile: water}\n      - {below: 8, tile: beach}\n"
        "      - {below: 90, tile: grass}\n      - {tile: mountain}\n"
    ),
    "between": _CAVES + _layer("between", "start: [start], goal: [exit]") + _WAY,
    "choke_visibility": _CAVES + _layer("choke_visibility") + _SIGHT,
    "cover": _CAVES + _layer("cover") + _SIGHT,
    "doors": _ROOMS + _layer("doors", "of: rooms"),
    "exposure": _CAVES + _layer("exposure", "levels: 8") + _SIGHT,
    "flow": _RELIEF + _layer("flow", "of: relief, sea_level: 0"),
    "goal_flow": _CAVES + _layer("goal_flow", "objects: [exit]") + _GOAL,
    "light": (
        f"{_CAVES}{_layer('light', 'objects: [torch], radius: 8, levels: 8')}"
        f"{_SIGHT}objects:\n  - {{name: torch, count: 6, spacing: 8}}\n"
    ),
    "mask": (
        f"{_CELLS}  island: {{generator: island_maze, role: none}}\n"
        f"{_layer('mask', 'of: caves, by: island')}"
    ),
    "outline": _CAVES + _layer("outline", "of: caves"),
    "prefabs": (
        f"  caves: {{generator: cellular_caves}}\n  {DISPLAYED}:\n    generator: prefabs\n"
        "    of: caves\n    prefabs:\n      - name: vault\n        count: 6\n"
        "        art: |\n          ######\n          #....+\n          #..###\n          ####\n"
    ),
    "road": (f"{_CAVES}{_layer('road', 'of: caves, between: [start, exit]')}{_WAY}"),
    "room_lattice": _layer("room_lattice", "columns: 5, rows: 4, rooms: 12"),
    "shade": _RELIEF + _LAND + _layer("shade", "of: relief, sea_level: 0"),
    "slope": _RELIEF + _layer("slope", "of: relief"),
    "stamp": (
        f"{_RELIEF}{_LAND}"
        "  rivers: {generator: flow, of: relief, sea_level: 0, role: none}\n"
        + _layer("stamp", "of: land, from_layer: rivers, transparent: [empty, sea]")
    ),
    "steps_from": _CAVES + _layer("steps_from", "objects: [exit]") + _GOAL,
    "subtract": (
        "  caves: {generator: visited_caves}\n  rooms: {generator: bsp_rooms}\n"
        + _layer("subtract", "of: caves, minus: [rooms]")
    ),
    "union": (
        "  caves: {generator: visited_caves}\n  rooms: {generator: bsp_rooms}\n"
        + _layer("union", "layers: [caves, rooms]")
    ),
    "watch_posts": _CAVES + _layer("watch_posts", "radius: 12") + _SIGHT,
    "wave_function_collapse": (
        f"  {DISPLAYED}:\n    generator: wave_function_collapse\n    sample: |\n"
        "      ........\n      .####...\n      .#..#...\n      .#..###.\n      .#....#.\n"
        "      .######.\n      ........\n      ........\n"
    ),
}


def example_spec(entry: Generator) -> str | None:
    """Return the example spec for a generator's page, or None.

    There is none if the generator needs files of the user, or if it is third-party code that
    requires more than layers.
    """
    if entry.name in FROM_FILES:
        return None
    if entry.name in _LAYERS:
        return _HEAD + _LAYERS[entry.name]
    required = [
        field.name
        for field in dataclasses.fields(entry.parameters)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]
    hints = wording.hints_of(entry.parameters)
    if not all(_names_a_layer(hints[name]) for name in required):
        return None
    base = _CELLS if required else ""
    return _HEAD + base + _layer(entry.name, ", ".join(f"{name}: caves" for name in required))


def _names_a_layer(hint: object) -> bool:
    rules = getattr(hint, "__metadata__", ())
    return any(isinstance(rule, Refers) and rule.to == "layer" for rule in rules)
