"""A project with unreadable input files: the export ends and reports each."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exporter.export.checking import check_paths
from small_game import Game

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no such files")

LAYER = "size: [8, 8]\nlayers:\n  ground: {{generator: {}}}\n"
READERS = {
    "picture": "from_image, image: input",
    "heights": "heightmap, from_image: input",
    "sample": "wave_function_collapse, sample_image: input",
    "prefab": "prefabs, prefabs: [{file: input}]",
}


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path)


def make_input(folder: Path, kind: str) -> str:
    position = folder / "input"
    if kind == "pipe":
        os.mkfifo(position)
        return "it is a named pipe"
    if kind == "folder":
        position.mkdir()
        return "it is a folder"
    with open(position, "wb") as file:
        file.truncate((64 << 20) + 1)
    return "too large"


@pytest.mark.parametrize("kind", ["pipe", "folder", "large"])
def test_an_input_that_is_no_file_fails_its_level_and_is_waited_for_by_nobody(
    game: Game, kind: str
) -> None:
    said = make_input(game.root / "levels", kind)
    game.write("fine")
    for name, layer in READERS.items():
        game.spec(name).write_text(LAYER.format(layer))
    game.spec("tiles").write_text(LAYER.format("blank") + "tileset: {image: input}\n")
    game.spec("lock").write_text(
        LAYER.format("blank") + "puzzles: {p: {kind: sudoku, file: input}}\n"
    )
    # The second export asks whether the inputs have changed.
    for _ in range(2):
        results = game.export()
        assert results["fine"].status in ("built", "unchanged")
        for name in (*READERS, "tiles", "lock"):
            (problem,) = results[name].problems
            assert said in problem.message, name
            assert problem.line > 2


def test_a_level_is_built_once_its_input_is_a_file(game: Game) -> None:
    make_input(game.root / "levels", "pipe")
    game.spec("prefab").write_text(LAYER.format(READERS["prefab"]))
    assert game.export()["prefab"].status == "failed"
    (game.root / "levels" / "input").unlink()
    (game.root / "levels" / "input").write_text("###\n")
    assert game.export()["prefab"].status == "built"


def test_a_spec_that_is_a_pipe_is_no_spec(game: Game) -> None:
    game.write("fine")
    os.mkfifo(game.spec("pipe"))
    assert list(game.export()) == ["fine"]


def test_a_spec_that_is_too_large_is_reported(game: Game) -> None:
    game.write("fine")
    game.spec("long").write_bytes(b"#" * ((1 << 20) + 1))
    game.spec("endless").write_bytes(b"")
    os.truncate(game.spec("endless"), (64 << 20) + 1)
    results = game.export()
    assert results["fine"].status == "built"
    assert "1048577 bytes long (allowed: 1048576)" in results["long"].problems[0].message
    assert "it has 67108865 bytes; allowed: 67108864" in results["endless"].problems[0].message


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_a_name_that_is_not_utf_8_is_an_error_of_its_spec_everywhere(game: Game) -> None:
    levels = os.fsencode(game.root / "levels")
    game.write("fine")
    content = game.spec("fine").read_bytes()
    os.mkdir(levels + b"/\xfe")
    for name in (b"/b\xff.level.yaml", b"/\xfe/c.level.yaml"):
        with open(levels + name, "wb") as file:
            file.write(content)
    Path(os.fsdecode(levels + b"/\xe9.png")).write_bytes(b"x")
    (game.root / "levels/link.png").symlink_to(os.fsdecode(b"\xe9.png"))
    game.spec("picture").write_text(LAYER.format("from_image, image: link.png"))
    results = game.export()
    failed = {spec: item for spec, item in results.items() if item.status == "failed"}
    assert results["fine"].status == "built"
    displayed = {item.spec.rpartition("/")[2] for item in failed.values()}
    assert displayed == {"b\\xff.level.yaml", "c.level.yaml", "picture.level.yaml"}
    checked = {
        check_path.file: check_path.problems
        for check_path in check_paths([game.root])
        if check_path.problems
    }
    assert len(checked) == 3
    for problems in (*checked.values(), *(item.problems for item in failed.values())):
        assert "is not UTF-8" in problems[0].message
        problems[0].headline().encode()
    export = game.open()
    game.batch(export)
    assert game.batch(export) == []  # reported once, and not again
