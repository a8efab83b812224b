"""The Lua examples of the pages, and their maps drawn by Tiled."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from engine_harness import Lua, Tiled
from engine_harness.processes import home_environment, run
from exporter.cli.main import main
from page_snippets import commands_of, snippets
from snippet_rules import runner_of
from snippet_runners import DrawnByTiled
from snippet_runners import Lua as LuaRule

OBJECTS = "objects: [{name: start, at: [2, 3]}]\n"
SPECS = {
    "crypt": f"size: [12, 9]\nlayers:\n  ground: {{generator: blank}}\n{OBJECTS}",
    "archipelago": "size: [12, 9]\nlayers:\n  ground: {generator: island_maze}\n",
    "wilds": "size: [160, 96]\nchunk: 64\nlayers:\n  ground: {generator: cellular_caves}\n",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "levels").mkdir()
    for name, text in SPECS.items():
        (folder / "levels" / f"{name}.level.yaml").write_text(text)
    targets = "targets:\n  tiled: {path: tiled}\n  defold: {path: defold}\n"
    (folder / "exporter.yaml").write_text(targets)
    (folder / "game.project").write_text("[project]\ntitle = pages\n")
    assert main(["export", str(folder)]) == 0
    return folder


def test_the_lua_of_the_pages_runs(lua: Lua, project: Path, tmp_path: Path) -> None:
    printed = []
    for number, snippet in enumerate(snippets()):
        rule = runner_of(snippet)
        if isinstance(rule, LuaRule):
            program = tmp_path / f"{number}.lua"
            program.write_text(rule.before + snippet.text + rule.after, encoding="utf-8")
            printed.append(lua.lines(program, str(project / "defold" / "crypt_objects.lua")))
    # The cell in column 2, row 3 of 9 rows, from the lower left; and the game's calls.
    assert printed == [["#start\t40\t88"], ["update", "draw"]]


def test_tiled_draws_what_the_pages_say(tiled: Tiled, project: Path) -> None:
    drawn = 0
    for snippet in snippets():
        if isinstance(runner_of(snippet), DrawnByTiled):
            (command,) = commands_of(snippet.text)
            setting, program, *words = command.words
            name, _, value = setting.partition("=")
            assert program == "tmxrasterizer"
            paths = [
                str(project / word) if "." in word and word[0].isalpha() else word for word in words
            ]
            environment = {**home_environment(tiled.home), name: value}
            code, output = run([tiled.command, *paths], environment, 120)
            assert code == 0, output
            with Image.open(paths[-1]) as picture:
                assert min(picture.size) > 100
            drawn += 1
    assert drawn == 2
