"""Visibility in a world in JavaScript, against the table of the whole map."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporter
from engine_harness import Node
from engine_harness.folders import JAVASCRIPT_READER
from worlds import TestWorld, sight_cells, square

PROGRAM = Path(__file__).parent / "javascript" / "ask_world.mjs"
WORLD = TestWorld()
CELLS = sight_cells(WORLD.size)
WIDTH, HEIGHT = WORLD.size
PARTS = [["set", column, row] for row in range(2) for column in range(3)]
RULES = {
    "symmetric": ("symmetric", 8, False),
    "shadowcast": ("shadowcast", 64, False),
    "raycast": ("raycast", 11, False),
    "walls": ("raycast", 6, True),
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return WORLD.write(tmp_path_factory.mktemp("web"), "tiled", blob="fast") / "w.world.json"


def ask(node: Node, file: Path, steps: list[Any], **changed: Any) -> Any:
    description = {**json.loads(file.read_text()), **changed}
    question = {
        "module": JAVASCRIPT_READER.as_uri(),
        "file": str(file),
        "description": description,
        "steps": steps,
    }
    return node.query(PROGRAM, question)


def sight_of(algorithm: str, radius: Any, see_walls: bool, layer: str = "caves") -> dict[str, Any]:
    return {"layer": layer, "algorithm": algorithm, "radius": radius, "see_walls": see_walls}


@pytest.mark.parametrize("name", RULES)
def test_a_cell_sees_what_the_table_of_the_whole_map_says(
    node: Node, file: Path, name: str
) -> None:
    algorithm, radius, see_walls = RULES[name]
    opaque = WORLD.whole.layers["caves"].opaque
    table = exporter.compute_visibility(opaque, radius, algorithm, see_walls=see_walls)
    far = [(-1, 5), (5, HEIGHT), (2**53 - 1, 2**53 - 1)]
    steps = [*PARTS, *(["see", x, y] for x, y in [*CELLS, *far])]
    answers = ask(node, file, steps, visibility=sight_of(*RULES[name]))
    for at, answer in zip(CELLS, answers[: len(CELLS)], strict=True):
        view = table.visible_from(*at)
        assert answer["seen"] == square(view, at, radius, False), at
        assert answer["opaque"] == square(opaque, at, radius, True), at
        assert answer["near"] == square(view, at, 4, False), at
    for answer in answers[len(CELLS) :]:
        assert set(answer["seen"] + answer["near"]) == {"0"}


def test_parts_that_are_not_there_block_sight_until_they_are(node: Node, file: Path) -> None:
    opaque = WORLD.whole.layers["caves"].opaque
    rows, columns = np.nonzero(~opaque[:60, 61:67])
    at = [(int(x) + 61, int(y)) for y, x in zip(rows, columns, strict=True)][:12]
    see = [["see", x, y] for x, y in at]
    steps = [["set", 0, 0], *see, ["set", 1, 0], *see, ["remove", 0, 0], *see]
    expected = []
    for part in (slice(0, 64), slice(0, 128), slice(64, 128)):
        known = np.ones_like(opaque)
        known[:64, part] = opaque[:64, part]
        table = exporter.compute_visibility(known, 5)
        expected += [square(table.visible_from(*item), item, 5, False) for item in at]
    assert len(set(expected)) > len(at)
    assert [answer["seen"] for answer in ask(node, file, steps)] == expected


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": "other"}, "no world of a version"),
        ({"version": 2}, "no world of a version"),
        ({"size": [150]}, "size is out of range"),
        ({"size": [0, 100]}, "size is out of range"),
        ({"size": [150, 65537]}, "size is out of range"),
        ({"size": "ab"}, "should be a list"),
        ({"chunk": 100}, "chunk is out of range"),
        ({"chunk": "64"}, "chunk is out of range"),
        ({"parts": "../w.world/w.{column}_{row}"}, "lead somewhere else"),
        ({"parts": "w.world/w"}, "lead somewhere else"),
        ({"layers": [None]}, "should be a map"),
        ({"visibility": 7}, "should be a map"),
        ({"visibility": sight_of("symmetric", 0, False)}, "rule of sight is broken"),
        ({"visibility": sight_of("symmetric", 65, False)}, "rule of sight is broken"),
        ({"visibility": sight_of("symmetric", 1e9, False)}, "rule of sight is broken"),
        ({"visibility": sight_of("symmetric", "8", False)}, "rule of sight is broken"),
        ({"visibility": sight_of("symmetric", 8, False, "other")}, "rule of sight is broken"),
    ],
    ids=str,
)
def test_a_broken_description_is_refused(
    node: Node, file: Path, change: dict[str, Any], problem: str
) -> None:
    assert problem in ask(node, file, [], **change)


def test_sight_without_a_rule_that_is_known_is_refused(node: Node, file: Path) -> None:
    see = [["see", 70, 70]]
    assert ask(node, file, see, visibility=None) == ["the world has no visibility"]
    strange = ask(node, file, see, visibility=sight_of("x-ray", 5, False))
    assert strange == ["the rule of sight x-ray is not known here"]


def test_parts_of_another_world_are_refused(node: Node, file: Path) -> None:
    assert ask(node, file, [["set", 3, 0], ["remove", 0, -1]]) == [
        "there is no part (3, 0)",
        "there is no part (0, -1)",
    ]
    (message,) = ask(node, file, [["set", 0, 0]], chunk=128)
    assert message == "a part of 64 x 64 cells does not belong to this world"


PROGRAM_OF_THE_PAGE = """
import { readFileSync } from "node:fs";
const { example, folder, player } = JSON.parse(readFileSync(0, "utf8"));
globalThis.fetch = async (path) => new Response(readFileSync(path));
const { openWorld, loadAround, litCells } = await import(example);
const opened = await openWorld(folder, "w");
await loadAround(opened, player);
console.log(JSON.stringify(litCells(opened, player)));
"""


def test_the_example_of_the_page_lights_what_is_seen(
    node: Node, file: Path, tmp_path: Path
) -> None:
    page = Path(exporter.__file__).parent / "docs" / "how-to" / "javascript.md"
    blocks = re.findall(r"```js\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    (code,) = [block for block in blocks if "new World" in block]
    (tmp_path / "example.mjs").write_text(code, encoding="utf-8")
    (tmp_path / "level-blob.js").write_bytes(JAVASCRIPT_READER.read_bytes())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    program = tmp_path / "program.mjs"
    program.write_text(PROGRAM_OF_THE_PAGE)
    table = exporter.compute_visibility(WORLD.whole.layers["caves"].opaque, 5)
    most = np.unravel_index(np.argmax(table.count[60:68, 60:68]), (8, 8))
    x, y = 60 + int(most[1]), 60 + int(most[0])
    question = {
        "example": (tmp_path / "example.mjs").as_uri(),
        "folder": str(file.parent),
        "player": {"x": x, "y": y},
    }
    lit = node.query(program, question)
    assert len(lit) > 5
    assert lit == [[x, y] for y, x in np.argwhere(table.visible_from(x, y)).tolist()]
