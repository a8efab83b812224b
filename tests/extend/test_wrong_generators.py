"""What generators of other packages register and make is looked at, and told with its line."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass
from typing import Annotated, Any

import numpy as np
import pytest
from outside_packages import LEVEL, Packages, generator, generators, level, place, problem

from exporter import extend
from exporter.extend import BLACK, CLEAR, MapParameters, Parameters, Percent, Tile, Within
from exporter.generators import GENERATORS
from exporter.generators._outside import stray_fault, tiles_fault
from exporter.model.errors import RegistryError

# Beginnings of a body, and tiles, in the text of a package.
CELLS = "cells = np.zeros((request.height, request.width), np.uint8)"
FLOOR = "Tile(0, 'floor', True, False, CLEAR)"
LAVA = "Tile(%s, 'lava', False, False, CLEAR)"

COLORS = "(it must be a text like '#c04020': #rrggbb or #rrggbbaa)"


@pytest.mark.parametrize(
    ("tile", "told"),
    [
        ((0, "lava"), "two tiles with the id 0: 'floor' and 'lava' (each must have its own)"),
        ((1, "floor"), "two tiles with the name 'floor': those with the ids 0 and 1 (each must"),
        ((1, ""), "a tile with the name '' (it must be a text of 1 to 64 characters)"),
        ((1, 5), "a tile with the name 5 (it must be a text of 1 to 64 characters)"),
        (("2", "lava"), "the tile 'lava' with the id '2' (it must be a whole number of 0 to"),
        ((-1, "lava"), "the tile 'lava' with the id -1 (it must be a whole number of 0 to 65535)"),
        ((True, "lava"), "the tile 'lava' with the id True (it must be a whole number"),
        ((1, "lava", 1), "the tile 'lava' with walkable=1 (it must be True or False)"),
        ((1, "lava", True, None), "the tile 'lava' with opaque=None (it must be True or False)"),
        ((1, "lava", True, True, "orange"), f"the tile 'lava' with the colour 'orange' {COLORS}"),
        ((1, "lava", True, True, (9, 1, 2)), f"the tile 'lava' with the colour (9, 1, 2) {COLORS}"),
    ],
)  # fmt: skip
def test_wrong_tiles_are_told_with_what_is_allowed(tile: tuple[Any, ...], told: str) -> None:
    floor = Tile(0, "floor", True, False, CLEAR)
    one = Tile(*tile, *(True, False, BLACK)[len(tile) - 2 :])
    assert tiles_fault((floor, one)).startswith(told)
    assert tiles_fault((floor,)) == ""


def test_what_is_no_tile_is_told() -> None:
    assert tiles_fault(("lava",)) == "'lava' among the tiles (each must be a Tile)"
    assert tiles_fault({}) == "tiles in a dict (they must be in a tuple: `(FLOOR, WALL)`)"


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
@pytest.mark.parametrize("ids", [(0, 1, 2), (2, 0, 1), (3, 4), (0, 200), (7,), ()])
def test_every_id_in_the_cells_needs_a_tile(kind: type[np.uint8], ids: tuple[int, ...]) -> None:
    tiles = tuple(Tile(one, f"tile_{one}", True, False, CLEAR) for one in ids)
    # More rows than are looked up at a time.
    cells = np.resize(np.array(ids or (1,), kind), (1100, 1000))
    assert (stray_fault(cells, tiles) == "") == bool(ids)
    for stray in (5, 100, 255):
        cells[1090, 3] = stray
        told = f"cells of {stray if ids else 1}, which is the id of no tile (the first at ["
        where = "14, 1110]" if ids else "11, 20]"
        assert stray_fault(cells, tiles, 11, 20).startswith(told + where)


@pytest.mark.parametrize(
    ("body", "told"),
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
            "two tiles with the id 0: 'floor' and 'lava' (each must have its own)",
        ),
        (
            f"return Generated(cells, ({FLOOR},), kind='tile')",
            "a layer of the kind 'tile' (allowed: 'tiles', 'heights')",
        ),
        (
            f"return Generated(cells, kind='heights', heights={FLOOR})",
            "a layer with `heights` of Tile(id=0, name='floor', walkable=True, opaque=False, "
            "color='#00000000') (it must be a HeightRange)",
        ),
    ],
    ids=["forgotten", "none", "tiles", "kind", "heights"],
)
def test_wrong_layers_are_told_with_the_line_that_returns_them(
    packages: Packages, body: str, told: str
) -> None:
    text = generator(body=f"{CELLS}; {body}")
    packages.install("odd-pack", {"odd.py": text}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))
    error = problem(packages, "check")
    assert error["message"] == f"generator 'odd' of odd-pack 1.0 made {told} in odd.py, line 18"
    assert place(error) == "levels/one.level.yaml:3:11"


def test_a_function_that_returns_in_two_places_is_told_with_its_first_line(
    packages: Packages,
) -> None:
    text = generator(body=f"if request.width: return Generated({CELLS[8:]})\n    return None")
    packages.install("odd-pack", {"odd.py": text}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))
    assert problem(packages, "check")["message"].endswith(" in odd.py, line 16")


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


def test_a_tile_that_the_decorator_does_not_declare_is_told(packages: Packages) -> None:
    text = generator().replace("version=1", f"version=1, tiles=({LAVA % 1},)")
    packages.install("odd-pack", {"odd.py": text}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))
    assert problem(packages, "check")["message"] == (
        "generator 'odd' of odd-pack 1.0 made the tile 'floor', which `tiles` of its decorator "
        "lacks (it has 'lava') in odd.py, line 18"
    )


def test_the_steps_of_a_generator_are_looked_at(packages: Packages) -> None:
    step = f"request.trace and request.trace.frame('round', cells + 5, ({FLOOR},))"
    text = generator(body=f"{CELLS}\n    {step}\n    return Generated(cells, ({FLOOR},))")
    packages.install("odd-pack", {"odd.py": text}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))
    done = packages.run("preview", "levels/one.level.yaml", "--steps", "-o", "steps.png")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "(ValueError: the step 'round' has cells of 5, which is the id of no tile" in done.stderr
    assert " in odd.py, line 19" in done.stderr


PARTS = "version=1, parts=Parts(lambda parameters, radius: 0)"


@pytest.mark.parametrize(
    ("parts", "wrong", "told", "line"),
    [
        (
            PARTS,
            "if request.window.x: cells[1, 70 - request.window.x] = 3",
            "made cells of 3, which is the id of no tile (the first at [70, 1]",
            20,
        ),
        (PARTS.replace(": 0", ": 1 // 0"), "pass", "failed (ZeroDivisionError", 16),
    ],
    ids=["cells", "halo"],
)
def test_the_parts_of_a_world_are_looked_at(
    packages: Packages, parts: str, wrong: str, told: str, line: int
) -> None:
    body = f"{CELLS}\n    {wrong}\n    return Generated(cells, ({FLOOR},))"
    text = generator(body=body).replace("version=1", parts)
    text = text.replace("import CLEAR", "import Parts, CLEAR")
    packages.install("odd-pack", {"odd.py": text}, generators(odd="odd"))
    level(packages, "size: [128, 64]\nchunk: 64\nlayers:\n  ground: {generator: odd}\n")
    message = problem(packages)["message"]
    assert message.startswith(f"generator 'odd' of odd-pack 1.0 {told}")
    assert message.endswith(f" in odd.py, line {line}")


@dataclass(frozen=True, kw_only=True)
class Odd(MapParameters):
    """Something odd."""

    share: Percent = 30
    chances: Annotated[tuple[Percent, ...], Within(1, 3, length=True)] = (1, 2)
    speed: float = 1
    of: str | None = None


def make(parameters: Odd, request: extend.Request) -> extend.Generated:
    """Make nothing."""
    raise NotImplementedError


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"version": "1"}, "its version is '1' (it must be a whole number of at least 1)"),
        ({"version": 0}, "its version is 0 (it must be a whole number of at least 1)"),
        ({"version": True}, "its version is True (it must be a whole number of at least 1)"),
        ({"makes": "hills"}, "it makes 'hills' (allowed: 'tiles', 'heights')"),
        ({"name": "my odd"}, "a generator cannot be called 'my odd' (allowed: a to z, A to Z, dig"),
        ({"name": ""}, "a generator cannot be called '' (allowed: a to z, A to Z, dig"),
        ({"tiles": ["lava"]}, "it declares tiles in a list (they must be in a tuple: `(FLOOR, WA"),
    ],
)  # fmt: skip
def test_what_a_decorator_gets_is_looked_at(options: dict[str, Any], told: str) -> None:
    with pytest.raises(RegistryError) as error:
        extend.generator(**{"name": "odd_one", "version": 1, **options})(make)
    assert str(error.value).startswith(told)
    assert "odd_one" not in GENERATORS.names()


@pytest.mark.parametrize(
    ("kind", "default", "told"),
    [
        (Percent, 500, "default 500, which no spec may have: value 500 is out of range"),
        (int, None, "default None, which no spec may have: input should be a valid integer"),
        (int, "5", "default '5', which no spec may have: input should be a valid integer"),
        (np.ndarray, None, "type <class 'numpy.ndarray'>, which no spec can write (allowed: texts"),
    ],
)  # fmt: skip
def test_defaults_are_those_that_a_spec_may_give(kind: Any, default: Any, told: str) -> None:
    wrong = make_dataclass(
        "Wrong", [("count", kind, default)], bases=(Parameters,), frozen=True, kw_only=True
    )

    def function(parameters: Any, request: extend.Request) -> extend.Generated:
        raise NotImplementedError

    function.__annotations__["parameters"] = wrong
    with pytest.raises(RegistryError) as error:
        extend.generator("odd_one", version=1)(function)
    assert str(error.value).startswith(f"its parameter 'count' has the {told}")


def test_what_is_wrong_at_registration_is_told_with_its_line(packages: Packages) -> None:
    text = generator().replace("int = 3", "Percent = 500")
    text = text.replace("import CLEAR", "import Percent, CLEAR")
    packages.install("odd-pack", {"odd.py": text}, generators(odd="odd"))
    level(packages, LEVEL.replace("NAME", "odd"))
    error = problem(packages, "check")
    assert error["message"] == (
        "the generator 'odd' of odd-pack 1.0 cannot be used: its parameter 'count' has the default "
        "500, which no spec may have: value 500 is out of range (allowed: 0 to 100) in odd.py, "
        "line 16"
    )
    assert place(error) == "levels/one.level.yaml:3:23"


def test_what_is_right_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GENERATORS, "_added", {})
    tiles = (Tile(0, "floor", True, False, CLEAR),)
    extend.generator("odd_one", version=3, tiles=tiles)(make)
    assert "odd_one" in GENERATORS.names()
