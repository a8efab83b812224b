"""The shapes that the studio draws with, and its wheel, run by Node."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from engine_harness import Node

pytestmark = pytest.mark.engine
PAGE = resources.files("exporter.studio") / "page"


def ask_page(node: Node, folder: Path, module: str, expression: str) -> Any:
    """Evaluate an expression with a module of the page as `page`."""
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / module).write_bytes((PAGE / module).read_bytes())
    script = folder / "script.js"
    script.write_text(
        f'import * as page from "./{module}";\nconsole.log(JSON.stringify({expression}));\n'
    )
    return node.query(script, None)


def drawing(cells: list[dict[str, int]]) -> list[str]:
    """Cells as characters, in the smallest box from 0, 0; none is there twice."""
    places = [(cell["x"], cell["y"]) for cell in cells]
    assert len(set(places)) == len(places)
    width, height = (max(item) + 1 for item in zip(*places, strict=True))
    rows = [["."] * width for _ in range(height)]
    for x, y in places:
        rows[y][x] = "#"
    return ["".join(row) for row in rows]


def test_shapes_are_the_cells_that_a_designer_expects(node: Node, tmp_path: Path) -> None:
    cells = "[0,0,1,0, 1,0,1,0, 0,1,1,0]"
    shapes = {
        "brushed([{x: 1, y: 1}, {x: 2, y: 1}], 3)": ["####"] * 3,
        "brushed([{x: 1, y: 1}], 2)": ["##", "##"],
        "rectangle({x: 3, y: 2}, {x: 0, y: 0}, false)": ["####", "#..#", "####"],
        "rectangle({x: 0, y: 0}, {x: 2, y: 1}, true)": ["###", "###"],
        "rectangle({x: 0, y: 0}, {x: 0, y: 2}, false)": ["#", "#", "#"],
        f"filled({cells}, {{width: 4, height: 3}}, {{x: 1, y: 1}})": ["##", ".#"],
        f"filled({cells}, {{width: 4, height: 3}}, {{x: 3, y: 2}})": ["...#"] * 3,
        "mirrored([{x: 0, y: 0}, {x: 2, y: 0}], {width: 5, height: 3}, 'xy')": [
            "#.#.#",
            ".....",
            "#.#.#",
        ],
    }
    calls = ", ".join(f"page.{shape}" for shape in shapes)
    answers = ask_page(node, tmp_path, "shapes.js", f"[{calls}]")
    assert dict(zip(shapes, [drawing(item) for item in answers], strict=True)) == shapes


def test_a_wheel_zooms_and_two_fingers_pan_and_pinch(node: Node, tmp_path: Path) -> None:
    turns = {
        "a notch": ({"deltaY": -100}, [0, 0], True),
        "a notch with Shift": ({"deltaY": 100, "shiftKey": True}, [-100, 0], False),
        "a sideways notch": ({"deltaX": 100}, [-100, 0], False),
        "lines": ({"deltaY": 3, "deltaMode": 1}, [0, 0], True),
        "two fingers": ({"deltaX": 3, "deltaY": -7}, [-3, 7], False),
        "two fingers, on": ({"deltaY": -90, "timeStamp": 10}, [0, 90], False),
        "a pinch": ({"deltaY": -9, "ctrlKey": True}, [0, 0], True),
    }
    zero = {"deltaX": 0, "deltaY": 0, "deltaMode": 0, "ctrlKey": False, "shiftKey": False}
    time, events = 0, []
    for turn, *_ in turns.values():
        time += 10 if "timeStamp" in turn else 1000
        events.append({**zero, **turn, "timeStamp": time})
    wheel = "((wheel) => (one) => wheel.motion(one))(new page.Wheel())"
    answers = ask_page(node, tmp_path, "wheel.js", f"{json.dumps(events)}.map({wheel})")
    seen = {
        name: (turn, [value + 0 for value in motion["pan"]], motion["zoom"] != 1)
        for (name, (turn, *_)), motion in zip(turns.items(), answers, strict=True)
    }
    assert seen == turns
    zooms = dict(zip(turns, (item["zoom"] for item in answers), strict=True))
    assert zooms["a notch"] > 1 > zooms["lines"]
    assert zooms["a pinch"] > 1
