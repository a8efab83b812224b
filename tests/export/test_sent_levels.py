"""Levels built elsewhere equal levels built here, whatever files they read."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from exporter.cli.main import main
from exporter.export import cluster_builder, sent_levels
from exporter.export.cluster import Done, FailedTask
from exporter.export.level_builder import LevelBuilder
from exporter.export.sent_levels import LevelAnswer, build_sent, decode_answer
from exporter.export.shared_store import SharedStore
from exporter.store.user_folder import trust
from small_game import CAVE, Game
from team_tilesets import TILE_SET

SETTINGS = """\
targets:
  godot:
    path: ../game/levels
    scenes: {chest: res://things/chest.tscn}
    tileset:
      file: res://art/dungeon.tres
      tiles:
        wall: [3, 1]
  tiled: {path: t}
"""


SCENE = """\
[gd_scene format=3 uid="uid://chest"]
[ext_resource type="Script" path="res://things/chest.gd" id="1"]
[node name="Chest" type="Node2D"]
script = ExtResource("1")
"""


class SingleWorker:
    """A cluster of one worker, which is this process."""

    sent: list[int]

    def __init__(self, address: str, do: Callable[[bytes], bytes], remark: object) -> None:
        self.do = do
        self.waiting: list[tuple[int, bytes]] = []
        SingleWorker.sent = []

    @property
    def has_room(self) -> bool:
        return len(self.waiting) < 2

    def submit(self, task: bytes) -> int:
        number = len(self.sent)
        self.sent.append(number)
        self.waiting.append((number, task))
        return number

    def results(self) -> Iterator[Done | FailedTask]:
        if self.waiting:
            number, task = self.waiting.pop(0)
            yield Done(number, "tcp://worker:1", self.do(task))

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture(autouse=True)
def one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_builder, "Cluster", SingleWorker)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project of which the levels read all kinds of files, with its game beside it."""
    make_game(tmp_path / "here")
    return opened(tmp_path / "here")


def opened(folder: Path) -> Game:
    game = Game.__new__(Game)
    game.root = folder / "project"
    return game


def make_game(folder: Path) -> None:
    game = Game(folder / "project")
    game.settings(SETTINGS)
    beside = folder / "game"
    (beside / "art").mkdir(parents=True)
    (beside / "things").mkdir()
    (beside / "project.godot").write_text("config_version=5\n")
    (beside / "art" / "dungeon.tres").write_text(TILE_SET)
    (beside / "things" / "chest.tscn").write_text(SCENE)
    (beside / "things" / "chest.gd").write_text("@export var gold := 1\n")
    levels = game.root / "levels"
    (levels / "deep" / "er").mkdir(parents=True)
    for position, value in (("a.png", 0), ("deep/b.png", 255)):
        Image.new("RGB", (8, 8), (value, value, value)).save(levels / position)
    game.write("plain", more="objects: [{name: chest, properties: {gold: 3}}]\n")
    drawn = "size: [8, 8]\nlayers:\n  ground: {{generator: from_image, image: {}}}\n"
    game.write("edited")
    (levels / "edited.edits.yaml").write_text(
        "layers:\n  ground:\n    - {at: [3, 3], was: wall, now: floor}\n"
        "    - {at: [4, 4], was: wall, now: floor}\n"
    )
    game.spec("drawn").write_text(drawn.format("a.png"))
    (levels / "deep" / "er" / "up.level.yaml").write_text(drawn.format("../b.png"))
    game.spec("two").write_text(
        drawn.format("a.png") + "  other: {generator: from_image, image: deep/b.png}\n"
    )
    game.spec("mistaken").write_text(CAVE.format(seed=1) + "nonsense: 1\n")
    game.spec("missing").write_text(drawn.format("aa.png"))
    game.spec("outside").write_text(drawn.format("../../../secret.png"))
    game.spec("budget").write_text(CAVE.format(seed=4) + "budget: {blob: 10}\n")


def run(
    capsys: pytest.CaptureFixture[str], game: Game, *options: str, text: bool = False
) -> tuple[int, Any]:
    json_option = [] if text else ["--json"]
    code = main(["export", str(game.root), "--jobs", "1", *json_option, *options])
    output = capsys.readouterr()
    return code, output.err if text else json.loads(output.out)


def comparable(report: dict[str, Any]) -> dict[str, Any]:
    """Return the report without times and without the folder of the project."""
    text = json.dumps(report).replace("there/", "here/")
    plain: dict[str, Any] = json.loads(text)
    for level in plain["levels"]:
        del level["seconds"]
    return plain


def files(game: Game) -> dict[str, bytes]:
    return {
        path.relative_to(game.root.parent).as_posix(): path.read_bytes()
        for path in game.root.parent.rglob("*")
        if path.is_file() and ".exporter" not in path.parts
    }


def test_what_comes_back_is_what_is_built_here(
    game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(tmp_path / "here", tmp_path / "there")
    there = opened(tmp_path / "there")
    for item in (game, there):
        allow(item)
    monkeypatch.chdir(tmp_path)
    code, alone = run(capsys, game)
    assert code == 1
    statuses = {item["level"]: item["status"] for item in alone["levels"]}
    good = {name for name, status in statuses.items() if status == "built"}
    assert good == {"plain", "edited", "drawn", "up", "two"}, [
        item["errors"] for item in alone["levels"]
    ]
    options = ("--store", str(tmp_path / "store"), "--cluster", "tcp://x:1")
    code, report = run(capsys, there, *options)
    assert code == 1
    for ours, theirs in zip(comparable(report)["levels"], comparable(alone)["levels"], strict=True):
        assert ours == theirs
    assert comparable(report) == comparable(alone)
    assert files(there) == files(game)
    assert not list(Path(tmp_path).rglob("level-exporter-*/"))
    # Nothing was built here except messages about missing files.
    assert run(capsys, there, *options)[1]["levels"][0]["status"] in ("unchanged", "failed")


def allow(game: Game) -> None:
    """Let the project write into the game beside it."""
    trust(game.root, (game.root.parent / "game" / "levels").resolve())


def test_a_level_that_was_exported_before_is_sent_once_with_all_it_reads(
    game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    allow(game)
    options = ("--store", str(tmp_path / "store"), "--cluster", "tcp://x:1")
    run(capsys, game, "--level", "drawn", *options)
    assert len(SingleWorker.sent) > 1
    run(capsys, game, "--level", "drawn", "--force", *options)
    assert len(SingleWorker.sent) == 1


def test_files_that_one_level_needed_go_along_with_the_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(tmp_path / "game")
    Image.new("RGB", (8, 8)).save(game.root / "levels" / "a.png")
    for number in range(5):
        game.spec(f"level{number}").write_text(
            f"size: [8, 8]\nseed: {number}\n"
            "layers: {a: {generator: from_image, image: a.png}}\n"
        )
    code, _ = run(capsys, game, "--store", str(tmp_path / "store"), "--cluster", "tcp://x:1")
    assert code == 0
    assert len(SingleWorker.sent) == 7  # the first two went before the picture was known


def test_a_spec_behind_a_link_is_built_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(tmp_path / "game")
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "a.level.yaml").write_text(CAVE.format(seed=1))
    os.symlink(tmp_path / "shared" / "a.level.yaml", game.spec("a"))
    code, report = run(capsys, game, "--store", str(tmp_path / "store"), "--cluster", "tcp://x:1")
    assert (code, report["levels"][0]["status"]) == (0, "built")
    assert not SingleWorker.sent
    assert [path for path in (tmp_path / "store" / "levels").rglob("*") if path.is_file()]


def test_a_worker_with_another_store_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of the same name on each machine is not one that they share."""
    game = Game(tmp_path / "game")
    game.write("a")
    (tmp_path / "other").mkdir()
    elsewhere = SharedStore.open(str(tmp_path / "other"))
    monkeypatch.setattr(sent_levels, "_store", lambda _url, _run: elsewhere)
    code, report = run(capsys, game, "--store", str(tmp_path / "store"), "--cluster", "tcp://x:1")
    assert code == 1
    assert "the worker tcp://worker:1 uses another store" in report["errors"][0]["message"]


def test_a_worker_that_does_not_reach_the_store_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(tmp_path / "game")
    game.write("a")
    real = SharedStore.open

    def away(url: str, **more: Any) -> SharedStore:
        return real(str(tmp_path / "no" / "mount"), **more)

    sent_levels._store.cache_clear()
    monkeypatch.setattr(sent_levels.SharedStore, "open", away)
    monkeypatch.setattr("exporter.export.shared_levels.SharedStore", OnlyHere(real))
    code, report = run(capsys, game, "--store", str(tmp_path / "store"), "--cluster", "tcp://x:1")
    assert code == 1
    message = report["errors"][0]["message"]
    assert "the worker tcp://worker:1 cannot use the store" in message
    assert "is it mounted?" in message


class OnlyHere:
    """The class of stores, importable under another name."""

    def __init__(self, opened: Callable[..., SharedStore]) -> None:
        self.open = opened


def test_a_store_that_is_deleted_between_two_exports_is_filled_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(tmp_path / "game")
    game.write("a")
    options = ("--store", str(tmp_path / "store"), "--cluster", "tcp://x:1")
    assert run(capsys, game, *options)[0] == 0
    shutil.rmtree(tmp_path / "store")
    game.write("b")
    assert run(capsys, game, "--force", *options)[0] == 0
    records = [path for path in (tmp_path / "store" / "levels").rglob("*") if path.is_file()]
    assert len(records) == 2


def test_a_step_that_does_not_end_is_left_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(tmp_path / "game")
    game.write("a")
    ended = threading.Event()
    real = LevelBuilder._target

    def hang(self: LevelBuilder, *arguments: Any) -> Any:
        ended.wait(60)
        return real(self, *arguments)

    monkeypatch.setattr(LevelBuilder, "_target", hang)
    monkeypatch.setattr(sent_levels, "_PATIENCE", 0.0)
    began = time.monotonic()
    code, report = run(
        capsys, game, "--max-seconds", "1", "--store", str(tmp_path / "store"),
        "--cluster", "tcp://x:1",
    )  # fmt: skip
    ended.set()
    assert time.monotonic() - began < 50
    assert code == 1
    (error,) = report["levels"][0]["errors"]
    assert "took longer than 1 seconds and was ended at the files for tiled" in error["message"]
    assert error["file"].endswith("a.level.yaml")


def test_a_unit_answers_in_words_whatever_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(tmp_path / "game")
    game.write("a")
    tasks: list[bytes] = []

    class Keeping(SingleWorker):
        def results(self) -> Iterator[Done | FailedTask]:
            tasks.extend(task for _, task in self.waiting)
            return super().results()

    monkeypatch.setattr(cluster_builder, "Cluster", Keeping)
    game.export(store=str(tmp_path / "store"), cluster="tcp://x:1")
    shutil.rmtree(tmp_path / "store")
    (tmp_path / "store").write_text("no folder")
    sent_levels._store.cache_clear()
    answer = decode_answer(build_sent(tasks[0]))
    assert answer == LevelAnswer(trouble=answer.trouble)
    assert str(tmp_path / "store") in answer.trouble


def test_a_level_that_ends_its_workers_is_reported_at_its_spec(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(tmp_path / "game")
    game.write("a")

    class Ending(SingleWorker):
        def results(self) -> Iterator[Done | FailedTask]:
            yield FailedTask(self.waiting.pop()[0], "ended its worker again and again")

    monkeypatch.setattr(cluster_builder, "Cluster", Ending)
    code, report = run(capsys, game, "--store", str(tmp_path / "store"), "--cluster", "tcp://x:1")
    assert code == 1
    (error,) = report["levels"][0]["errors"]
    assert error["message"] == "building this level ended its worker again and again"
    assert error["file"].endswith("levels/a.level.yaml")


WORLD = """\
size: [140, 100]
chunk: 64
layers:
  ground: {generator: cellular_caves, wall_percent: 44}
"""


@pytest.mark.parametrize("more", [(), ("--cluster", "tcp://x:1")], ids=["store", "cluster"])
def test_the_parts_of_a_world_are_preserved_in_the_store_beside_levels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    outputs = []
    for name, options in (("alone", ()), ("farm", ("--store", str(tmp_path / "store"), *more))):
        game = Game(tmp_path / name)
        game.settings("targets:\n  tiled: {path: t}\n")
        game.write("a")
        game.spec("world").write_text(WORLD)
        code, report = run(capsys, game, *options)
        assert code == 0, [item["errors"] for item in report["levels"]]
        assert [item["status"] for item in report["levels"]] == ["built", "built"]
        outputs.append({path: (game.root / path).read_bytes() for path in game.outputs()})
        assert run(capsys, game, "--check", *options[:2])[0] == 0
    assert outputs[0] == outputs[1]
    assert len([path for path in outputs[0] if "world" in path]) > 6
    records = [path for path in (tmp_path / "store" / "levels").rglob("*") if path.is_file()]
    parts = [path for path in outputs[0] if path.endswith(".lvb") and ".world/" in path]
    assert len(records) == len(parts) + 1  # and the level


def test_a_shard_with_nothing_to_do_leaves_the_parts_of_others_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(tmp_path / "game")
    game.settings("targets:\n  tiled: {path: t}\n")
    game.write("a")
    game.spec("world").write_text(WORLD)
    assert run(capsys, game)[0] == 0
    state = game.root / ".exporter"
    before = {path.name for path in (state / "levels").iterdir()}
    entries = set(game.open().store.peek())
    shards = [run(capsys, game, "--shard", f"{number}/2")[1]["levels"] for number in (1, 2)]
    # Every shard has parts of the world.
    assert sorted(level["level"] for levels in shards for level in levels) == [
        "a",
        "world",
        "world",
    ]
    assert {level["status"] for levels in shards for level in levels} == {"unchanged"}
    assert {path.name for path in (state / "levels").iterdir()} == before
    assert set(game.open().store.peek()) == entries
