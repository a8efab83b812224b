"""Registrations and results of third-party generators are validated, with their line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from outside_packages import LEVEL, Packages, generator, generators, level, position_of, problem

from exporter.extend import BLACK, CLEAR, Tile
from exporter.generators._outside import id_fault, tiles_fault

# Beginnings of a body, and tiles, in the text of a package.
CELLS = "cells = np.zeros((request.height, request.width), np.uint8)"
FLOOR = "Tile(0, 'floor', True, False, CLEAR)"
LAVA = "Tile(%s, 'lava', False, False, CLEAR)"


@pytest.mark.parametrize(
    ("tile", "reported"),
    [
        (Tile(0, "lava", True, False, BLACK), "the tiles 0 'floor' and 0 'lava' (each must have"),
        (Tile(1, "floor", True, False, BLACK), "the tiles 0 'floor' and 1 'floor' (each must have"),
        (Tile(1, "lava", True, True, "orange"), "the tile 'lava' with the colour 'orange' (allow"),
        ("lava", "'lava' among the tiles (each must be a Tile)"),
    ],
    ids=["id", "name", "colour", "no-tile"],
)
def test_wrong_tiles_are_reported_with_what_is_allowed(tile: Any, reported: str) -> None:
    floor = Tile(0, "floor", True, False, CLEAR)
    assert tiles_fault((floor, tile)).startswith(reported)
    assert tiles_fault((floor,)) == ""


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
@pytest.mark.parametrize("ids", [(2, 0, 1), (3, 200), ()])
def test_every_id_in_the_cells_needs_a_tile(kind: type[np.uint8], ids: tuple[int, ...]) -> None:
    tiles = tuple(Tile(item, f"tile_{item}", True, False, CLEAR) for item in ids)
    cells = np.resize(np.array(ids or (1,), kind), (110, 100))
    assert (id_fault(cells, tiles) == "") == bool(ids)
    for stray in (5, 100, 255):
        cells[90, 3] = stray
        reported = f"cells of {stray if ids else 1}, which is the id of no tile (the first at ["
        where = "14, 110]" if ids else "11, 20]"
        assert id_fault(cells, tiles, 11, 20).startswith(reported + where)


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        (
            f"cells[2, 3:] = 7; return Generated(cells, ({FLOOR}, {LAVA % 1}))",
            "cells of 7, which is the id of no tile (the first at [3, 2]; the tiles are 0 'floor', "
            "1 'lava'; each id in the cells needs a Tile in `Generated(cells, tiles)`)",
        ),
        (
            "return Generated(cells)",
            "cells of 0, which is the id of no tile (the first at [0, 0]; the tiles are none; each "
            "id in the cells needs a Tile in `Generated(cells, tiles)`)",
        ),
        (
            f"return Generated(cells, ({FLOOR}, {LAVA % 0}))",
            "the tiles 0 'floor' and 0 'lava' (each must have its own id and name)",
        ),
    ],
    ids=["forgotten", "none", "tiles"],
)
def test_wrong_layers_are_reported_with_the_line_of_the_function(
    packages: Packages, body: str, reported: str
) -> None:
    text = generator(body=f"{CELLS}; {body}")
    packages.install("odd-pack", {"odd.py": text}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))
    error = problem(packages, "check")
    assert error["message"] == f"generator 'odd' of odd-pack 1.0 made {reported} in odd.py, line 16"
    assert position_of(error) == "levels/one.level.yaml:3:11"


def test_tiles_may_stand_in_a_list_and_their_ids_have_gaps(packages: Packages) -> None:
    body = f"{CELLS}; cells[2, 3] = 9; return Generated(cells, [{FLOOR}, {LAVA % 9}])"
    packages.install("odd-pack", {"odd.py": generator(body=body)}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))
    done = packages.run("export")
    assert done.returncode == 0, done.stdout + done.stderr


def test_given_cells_need_no_tile_of_the_generator(packages: Packages) -> None:
    body = (
        f"{CELLS}\n    if request.fixed is not None:\n"
        "        given = request.fixed.cells\n"
        "        cells[given >= 0] = given[given >= 0] + 5\n"
        f"    return Generated(cells, ({FLOOR},))"
    )
    text = generator(body=body).replace("Parameters", "MapParameters")
    packages.install("odd-pack", {"odd.py": text}, generators(odd="odd"))
    spec = LEVEL.replace("NAME}", "odd, fixed: base}")
    level(packages, spec.replace("  ground", "  base: {generator: maze}\n  ground"))
    done = packages.run("check")
    assert done.returncode == 0, done.stdout + done.stderr


PARTS = "version=1, parts=Parts(lambda parameters, radius: 0)"


@pytest.mark.parametrize(
    ("parts", "wrong", "reported", "line"),
    [
        (
            PARTS,
            "if request.window.x: cells[1, 70 - request.window.x] = 3",
            "made cells of 3, which is the id of no tile (the first at [70, 1]",
            16,
        ),
        (PARTS.replace(": 0", ": 1 // 0"), "pass", "failed (ZeroDivisionError", 16),
    ],
    ids=["cells", "halo"],
)
def test_the_parts_of_a_world_are_looked_at(
    packages: Packages, parts: str, wrong: str, reported: str, line: int
) -> None:
    body = f"{CELLS}\n    {wrong}\n    return Generated(cells, ({FLOOR},))"
    text = generator(body=body).replace("version=1", parts)
    text = text.replace("import CLEAR", "import Parts, CLEAR")
    packages.install("odd-pack", {"odd.py": text}, generators(odd="odd"))
    level(packages, "size: [128, 64]\nchunk: 64\nlayers:\n  ground: {generator: odd}\n")
    message = problem(packages)["message"]
    assert message.startswith(f"generator 'odd' of odd-pack 1.0 {reported}")
    assert message.endswith(f" in odd.py, line {line}")


def test_parameters_without_a_dataclass_are_reported(packages: Packages) -> None:
    text = generator().replace("@dataclass(frozen=True, kw_only=True)\n", "")
    packages.install("odd-pack", {"odd.py": text}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))
    error = problem(packages, "check")
    assert error["message"] == (
        "the generator 'odd' of odd-pack 1.0 cannot be used: its parameters Odd are no dataclass "
        "(write @dataclass(frozen=True, kw_only=True) above the class) in odd.py, line 15"
    )
    assert position_of(error) == "levels/one.level.yaml:3:23"
