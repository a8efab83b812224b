"""How much of a map stays when one parameter moves by a step and the seed does not.

For each map generator and each of its parameters that is a number, a switch or a choice, maps are
made with the base value and with the next one, for some seeds, and the cells that stay are counted.
For comparison: the cells that are the same with another seed.

    python tests/benchmarks/stability.py            # print the page
    python tests/benchmarks/stability.py --write    # write exporter/docs/explanation/stability.md
"""

from __future__ import annotations

import argparse
import json
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from exporter.build.build import build_level
from exporter.generators import GENERATORS
from exporter.model.errors import SpecError
from exporter.model.parameters import Parameters, Within
from exporter.reading.reader import parse_level

PAGE = Path(__file__).resolve().parents[2] / "exporter" / "docs" / "explanation" / "stability.md"
SIDE = 80
SEEDS = range(1, 6)
# Parameters to measure a generator with, where its defaults do not suit the size or are missing.
BASES: dict[str, dict[str, Any]] = {
    "bsp_rooms": {},
    "cellular_caves": {},
    "drunkard": {},
    "heightmap": {},
    "irregular_rooms": {},
    "island_maze": {"visits": 30_000},
    "maze": {},
    "prefabs": {"prefabs": [{"art": "#####\n#...#\n#...+\n#####", "count": 12}]},
    "room_lattice": {},
    "rooms_and_corridors": {"rooms": 8, "room_distance": 2, "max_room_size": [9, 9]},
    "visited_caves": {"visits": 30_000},
    "voronoi": {},
    "wave_function_collapse": {
        "sample": "..........\n.####.....\n.#..#..##.\n.#..####..\n.##.......\n..........",
        "pattern": 2,
    },
}
# Where no step can be made: texts, tables, other layers.
LEFT_OUT = frozenset({"fixed", "only_in", "never_in", "from_layer", "from_image", "connect"})
HEADER = """# How much a parameter change moves a map

If you change one parameter a little, most of a map stays as it was, because a random number
depends on its cell and its purpose where possible, and not on the order of draws. The tables give
the share of cells that stay when one parameter moves by a step and the seed does not: maps of
80 x 80 cells, mean of 5 seeds. Heights stay if they differ by less than 1 % of their range. The
last row of each table is for comparison: the share of cells that another seed leaves equal by
chance, which is high in maps of mostly rock.

A step is the next whole number, 1 % of a number above 1,000, the other value of a switch, or the
next value of a choice. 100 % can also mean that the parameter has no effect beside the other
defaults.

Corridors, walks, mazes and collapsing waves decide one thing after another, so a change moves
everything that is decided later. `sites` of `voronoi`, `depth` of `bsp_rooms` and `points` of
`irregular_rooms` share one sequence of numbers with later draws. Another order would move less, but
would change existing levels.

[Fixed cells](../how-to/fixed-cells.md) stay in any case.

"""


def steps(kind: type[Parameters], base: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Return the parameters that can move: name, value, and the next value."""
    hints = get_type_hints(kind, include_extras=True)
    result = []
    for field in fields(kind):
        default = None if field.default is MISSING else field.default
        value = base.get(field.name, default)
        if field.name in LEFT_OUT or value is None:
            continue
        moved = _moved(hints[field.name], list(value) if isinstance(value, tuple) else value)
        if moved is not None:
            result.append((field.name, value, moved))
    return result


def _moved(hint: Any, value: Any) -> Any:
    """Return the next value of a parameter; None if there is no other."""
    within = None
    while get_origin(hint) is Annotated:
        within = next((item for item in get_args(hint)[1:] if isinstance(item, Within)), within)
        hint = get_args(hint)[0]
    if hint is bool:
        return not value
    if get_origin(hint) is Literal:
        values = get_args(hint)
        return values[(values.index(value) + 1) % len(values)]
    if get_origin(hint) is tuple and isinstance(value, list):
        moved = [
            _moved(part, item)
            for part, item in zip(get_args(hint), value, strict=False)
            if part is not ...
        ]
        whole = len(moved) == len(value) > 0 and None not in moved
        return moved if whole else None
    if hint is int and isinstance(value, int) and within is not None:
        step = max(1, value // 100) if value > 1000 else 1
        return value + step if value + step <= within.maximum else value - step
    return None


def cells(generator: str, parameters: dict[str, Any], seed: int) -> NDArray[Any]:
    """Return the cells of a map; tiles by name, so that another legend is no change."""
    spec = {
        "size": [SIDE, SIDE],
        "seed": seed,
        "layers": {"map": {"generator": generator, **parameters}},
    }
    layer = build_level(parse_level(json.dumps(spec).encode(), "x.level.yaml")).layers["map"]
    if layer.kind == "heights":
        return layer.cells
    names = np.empty(max(tile.id for tile in layer.tiles) + 1, object)
    for tile in layer.tiles:
        names[tile.id] = tile.name
    return names[layer.cells]


def share(item: NDArray[Any], other: NDArray[Any]) -> float:
    """Return the share of cells that are the same; of heights, that differ by less than 1 %."""
    if item.dtype == np.uint16:
        return float((np.abs(item.astype(int) - other.astype(int)) < 655).mean())
    return float((item == other).mean())


def measured(generator: str) -> list[tuple[str, str, str, float | None]]:
    """Return the rows of a generator: parameter, value, next value, and the share that stays.

    None where the next value cannot be built.
    """
    kind, base = GENERATORS.get(generator).parameters, BASES[generator]
    before = [cells(generator, base, seed) for seed in SEEDS]
    rows: list[tuple[str, str, str, float | None]] = []
    for name, value, moved in steps(kind, base):
        try:
            after = [cells(generator, {**base, name: moved}, seed) for seed in SEEDS]
        except SpecError:
            rows.append((name, _text(value), _text(moved), None))
            continue
        remaining = [share(item, other) for item, other in zip(before, after, strict=True)]
        rows.append((name, _text(value), _text(moved), sum(remaining) / len(remaining)))
    chance = [
        share(item, other) for item, other in zip(before, before[1:] + before[:1], strict=True)
    ]
    rows.append(("another seed", "", "", sum(chance) / len(chance)))
    return rows


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)


def page() -> str:
    """Return the page."""
    parts = [HEADER]
    for generator in sorted(BASES):
        parts.append(f"## `{generator}`\n\n| parameter | from | to | stays |\n|---|---|---|---|\n")
        for name, value, moved, remaining in measured(generator):
            displayed = "cannot be built" if remaining is None else f"{100 * remaining:.1f} %"
            title = name if name == "another seed" else f"`{name}`"
            parts.append(f"| {title} | {value} | {moved} | {displayed} |\n")
        parts.append("\n")
    return "".join(parts).rstrip() + "\n"


def main() -> None:
    """Print the page or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the page")
    if parser.parse_args().write:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")


if __name__ == "__main__":
    main()
