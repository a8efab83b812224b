"""The page about web games: its project exports, and its examples run on the files."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import exporter
from command_line import run
from engine_harness import Node
from engine_harness.folders import ROOT

PAGE = (ROOT / "exporter" / "docs" / "how-to" / "javascript.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```js\n(.*?)```", PAGE, re.DOTALL)
(SETTINGS,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
MODULE = ROOT / "templates" / "javascript"
SPEC = """
size: [60, 40]
layers:
  ground: {generator: cellular_caves, connect: guaranteed}
visibility: {layer: ground, radius: 8}
objects: [{name: start}]
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the page's settings, exported, and the reader beside its levels."""
    tmp_path = tmp_path_factory.mktemp("web")
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "cave.level.yaml").write_text(SPEC)
    (tmp_path / "exporter.yaml").write_text(SETTINGS)
    run("export", tmp_path).check_returncode()
    public = tmp_path / "public"
    for file in MODULE.iterdir():
        shutil.copy(file, public)
    return public


def test_the_first_example_draws_the_lit_cells_of_the_view(node: Node, game: Path) -> None:
    (game / "game.js").write_text(EXAMPLES[0], encoding="utf-8")
    blob = game / "levels" / "cave.lvb"
    question = {"example": (game / "game.js").as_uri(), "level": str(blob)}
    drawn = node.query(ROOT / "tests/engines/javascript/run_example.mjs", question)
    level = exporter.build_level(exporter.load_level(game.parent / "levels" / "cave.level.yaml"))
    assert level.visibility is not None
    (start,) = level.objects
    lit = level.visibility.visible_from(start.x, start.y)
    left = min(max(start.x - 20, 0), 60 - 41)
    top = min(max(start.y - 12, 0), 40 - 25)
    colors = {tile.id: tile.color for tile in level.layers["ground"].tiles}
    expected = [
        [colors[int(level.layers["ground"].cells[y, x])], 16 * (x - left), 16 * (y - top), 16, 16]
        for y in range(top, top + 25)
        for x in range(left, left + 41)
        if lit[y, x]
    ]
    assert drawn == expected
    assert len(expected) > 20


def test_the_second_example_is_a_module(node: Node, game: Path, tmp_path: Path) -> None:
    (game / "shared.js").write_text(EXAMPLES[1], encoding="utf-8")
    program = tmp_path / "open.mjs"
    program.write_text(
        'import { readFileSync } from "node:fs";\n'
        "const { module, level } = JSON.parse(readFileSync(0));\n"
        "const { openShared } = await import(module);\n"
        "const names = [readFileSync(level), new Uint8Array(9)].map(async (bytes) => "
        "(await openShared(bytes))?.name ?? null);\n"
        "console.log(JSON.stringify(await Promise.all(names)));\n"
    )
    blob = game / "levels" / "cave.lvb"
    question = {"module": (game / "shared.js").as_uri(), "level": str(blob)}
    assert node.query(program, question) == ["cave", None]


def test_the_page_tells_where_the_module_is() -> None:
    (code,) = re.findall(r'python -c "(.*)"', PAGE)
    reported = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert (Path(reported.stdout.strip()) / "level-blob.js").exists()
