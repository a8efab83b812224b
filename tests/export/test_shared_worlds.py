"""Worlds of exports that share a store: shards make parts, a whole run takes them and joins in."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from exporter.export import workers
from exporter.export.jobs import WorldJob
from exporter.export.plan import StaleLevel
from exporter.export.settings import Settings
from exporter.export.shards import Shard
from exporter.export.tasks import Task, TaskResult, WorldFindings, WorldLayout, WorldUnit
from exporter.export.workers import build_files
from exporter.store.entries import ManifestEntry
from exporter.store.group_commit import Committed
from small_game import Game

WORLD = """\
size: [150, 100]
chunk: 64
seed: {seed}
layers:
  caves: {{generator: cellular_caves, connect: guaranteed}}
  relief: {{generator: heightmap}}
  open: {{generator: exposure}}
visibility: {{layer: caves, radius: 5}}
objects:
  - {{name: chest, percent: 2, layer: caves, place: by_cell}}
"""
SETTINGS = "targets:\n  tiled: {path: t, bitmaps: false}\n"
SPEC = "levels/land.level.yaml"
EDITS = """\
layers:
  caves:
    - {at: [100, 80], was: wall, now: floor}
"""
PARTS = {(column, row) for column in range(3) for row in range(2)}


def in_checkout(folder: Path, seed: int = 1) -> Game:
    """Return a checkout of a project with a world and a level, without state and outputs."""
    game = Game(folder)
    game.settings(SETTINGS)
    game.spec("land").write_text(WORLD.format(seed=seed))
    game.write("small")
    return game


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "store")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that one machine has filled; tests copy it."""
    folder = tmp_path_factory.mktemp("filled")
    in_checkout(folder / "one").export(store=str(folder / "store"))
    return folder / "store"


@pytest.fixture
def full_store(tmp_path: Path, filled: Path) -> str:
    return str(shutil.copytree(filled, tmp_path / "store"))


@pytest.fixture
def units(monkeypatch: pytest.MonkeyPatch) -> list[WorldUnit]:
    """The units of worlds that are done in this process."""
    done: list[WorldUnit] = []

    def build(task: Any, *rest: Any) -> Any:
        if task.unit is not None:
            done.append(task.unit)
        return build_files(task, *rest)

    monkeypatch.setattr(workers, "build_files", build)
    return done


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The outputs of one machine."""
    game = in_checkout(tmp_path_factory.mktemp("alone") / "game")
    game.export()
    return game.contents()


def places(units: list[WorldUnit], kind: str = "part") -> list[tuple[int, int]]:
    return [(unit.column, unit.row) for unit in units if unit.kind == kind]


def test_shards_make_every_part_once_and_a_whole_run_makes_none(
    tmp_path: Path, store: str, units: list[WorldUnit], alone: dict[str, bytes]
) -> None:
    result: list[tuple[int, int]] = []
    for number in (2, 3, 1):
        machine = in_checkout(tmp_path / f"machine{number}")
        results = machine.export(store=store, shard=Shard(number, 3))
        assert results["land"].status == "built"
        result += places(units)
        assert machine.export(store=store, shard=Shard(number, 3))["land"].status == "unchanged"
        whole = [
            path for path in machine.contents() if "land" in path and "land.world/" not in path
        ]
        assert whole == []
        units.clear()
    assert sorted(result) == sorted(PARTS)
    game = in_checkout(tmp_path / "game")
    assert game.export(store=store)["land"].status == "built"
    assert not places(units)
    assert not places(units, "survey")
    assert game.contents() == alone
    assert game.export(store=store)["land"].status == "unchanged"
    assert game.export()["land"].status == "unchanged"


def test_shards_share_surveys(tmp_path: Path, store: str, units: list[WorldUnit]) -> None:
    for number in (1, 2):
        in_checkout(tmp_path / f"machine{number}").export(store=store, shard=Shard(number, 2))
    surveyed = [(unit.row, unit.survey) for unit in units if unit.kind == "survey"]
    assert surveyed
    assert len(surveyed) == len(set(surveyed))


def test_shards_begin_to_survey_in_different_rows(
    tmp_path: Path, store: str, units: list[WorldUnit]
) -> None:
    first = []
    for number in (1, 2):
        in_checkout(tmp_path / f"machine{number}").export(shard=Shard(number, 2))
        first.append(next(unit.row for unit in units if unit.kind == "survey"))
        units.clear()
    assert first == [0, 1]


def test_a_whole_run_after_shards_in_the_same_folder_goes_on_from_there(
    tmp_path: Path, units: list[WorldUnit], alone: dict[str, bytes]
) -> None:
    game = in_checkout(tmp_path / "game")
    for number in (1, 2):
        assert game.export(shard=Shard(number, 2))["land"].status == "built"
    assert set(places(units)) == PARTS
    units.clear()
    assert game.export()["land"].status == "built"
    assert not places(units)
    assert game.contents() == alone
    for number in (1, 2):
        assert game.export(shard=Shard(number, 2))["land"].status == "unchanged"


def test_a_shard_removes_no_part(tmp_path: Path) -> None:
    game = in_checkout(tmp_path / "game")
    game.export()
    before = set(game.contents())
    game.spec("land").write_text(WORLD.format(seed=1).replace("[150, 100]", "[100, 50]"))
    game.export(shard=Shard(1, 2))
    assert before <= set(game.contents())
    game.export()
    game.export(shard=Shard(1, 2))
    assert {path for path in game.contents() if "2_1" in path} <= before


def test_the_parts_of_another_seed_are_others(
    tmp_path: Path, full_store: str, units: list[WorldUnit]
) -> None:
    game = in_checkout(tmp_path / "two", seed=2)
    game.export(store=full_store)
    assert set(places(units)) == PARTS
    other = in_checkout(tmp_path / "three", seed=2)
    other.export()
    assert game.contents() == other.contents()


def test_hand_edits_make_other_parts(
    tmp_path: Path, full_store: str, units: list[WorldUnit]
) -> None:
    game, alone = in_checkout(tmp_path / "two"), in_checkout(tmp_path / "three")
    for item in (game, alone):
        (item.root / "levels" / "land.edits.yaml").write_text(EDITS)
    assert game.export(store=full_store)["land"].status == "built"
    assert alone.export()["land"].status == "built"
    assert game.contents() == alone.contents()


@pytest.mark.parametrize("how", ["changed", "removed"])
def test_damaged_parts_are_reported_and_created_again(
    how: str, tmp_path: Path, full_store: str, units: list[WorldUnit], alone: dict[str, bytes]
) -> None:
    files = sorted(path for path in (Path(full_store) / "contents").rglob("*") if path.is_file())
    for path in files[::3]:
        data = path.read_bytes()
        if how == "removed":
            path.unlink()
        else:
            path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    game = in_checkout(tmp_path / "two")
    game.export(store=full_store)
    assert places(units)
    assert game.contents() == alone
    if how != "removed":
        assert any("is not what its name says" in text for text in game.remarks())
    units.clear()
    third = in_checkout(tmp_path / "three")
    third.export(store=full_store)
    assert not places(units)
    assert third.contents() == alone


def test_a_damaged_survey_is_done_again(
    tmp_path: Path, full_store: str, units: list[WorldUnit], alone: dict[str, bytes]
) -> None:
    for path in (Path(full_store) / "levels").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-1])
    game = in_checkout(tmp_path / "two")
    game.export(store=full_store)
    assert places(units, "survey")
    assert game.contents() == alone


@pytest.mark.parametrize(
    "surveyed",
    [
        [["nonsense", "AAAA"]],
        [["joins caves", "AAAA"], ["extremes relief", "AAAA"]],
        [["joins caves", "?"]],
        [],
        5,
        None,
    ],
)
def test_a_survey_with_a_record_that_says_something_else_is_done_again(
    tmp_path: Path, full_store: str, surveyed: object, alone: dict[str, bytes]
) -> None:
    for path in [path for path in (Path(full_store) / "levels").rglob("*") if path.is_file()]:
        record = json.loads(path.read_bytes())
        if "surveyed" in record and not record["files"]:
            record["surveyed"] = json.dumps(surveyed)
            data = json.dumps(record).encode()
            path.unlink()
            path.with_name(hashlib.sha256(data).hexdigest()).write_bytes(data)
    game = in_checkout(tmp_path / "two")
    game.export(store=full_store)
    assert "in the store is from another exporter" in game.remarks()[0]
    assert game.contents() == alone


def test_forcing_makes_all_parts_and_adds_them_anew(
    tmp_path: Path, full_store: str, units: list[WorldUnit], alone: dict[str, bytes]
) -> None:
    for path in (Path(full_store) / "contents").rglob("*"):
        if path.is_file():
            path.write_bytes(b"x" * path.stat().st_size)
    game = in_checkout(tmp_path / "two")
    game.export(store=full_store, force=True)
    assert set(places(units)) == PARTS
    units.clear()
    other = in_checkout(tmp_path / "three")
    other.export(store=full_store)
    assert not places(units)
    assert other.contents() == alone == game.contents()


def test_a_dry_run_takes_from_the_store_and_writes_nothing(tmp_path: Path, full_store: str) -> None:
    before = {path for path in Path(full_store).rglob("*") if path.is_file()}
    game = in_checkout(tmp_path / "two")
    game.export(store=full_store, dry_run=True)
    assert not game.contents()
    assert {path for path in Path(full_store).rglob("*") if path.is_file()} == before


def test_every_shard_has_the_world_and_no_other_level_of_another_one() -> None:
    shards = [Settings(shard=Shard(number, 4)) for number in range(1, 5)]
    assert [shard.selects("land", SPEC, is_world=True) for shard in shards] == [True] * 4
    assert sum(shard.selects("land", SPEC) for shard in shards) == 1
    named = Settings(shard=Shard(1, 4), levels=("other",))
    assert not named.selects("land", SPEC, is_world=True)


def test_a_world_gives_out_no_more_tasks_than_it_was_reported(tmp_path: Path) -> None:
    _, tasks = _world_of_rows(tmp_path, 9, at_once=3)
    assert len(tasks) == 3


def test_a_world_counts_the_rows_of_a_survey(tmp_path: Path) -> None:
    job, tasks = _world_of_rows(tmp_path, 2, at_once=9)
    counts = []
    while tasks and tasks[0].unit is not None and tasks[0].unit.kind != "common":
        counts.append(job.progress())
        world_findings = WorldFindings(surveyed={"extremes relief": b"[0, 1]"})
        done, *tasks = tasks
        tasks += job.take(
            TaskResult(done, "land", 0.0, findings=world_findings), NOTHING, None
        ).tasks
    assert counts == [(0, 0, 0, 2), (0, 0, 1, 2), (0, 0, 2, 2)]
    assert job.progress() == (0, 0, 0, 0)


NOTHING = Committed(ManifestEntry(SPEC, "", ""), ())


def _world_of_rows(folder: Path, rows: int, at_once: int) -> tuple[WorldJob, list[Task]]:
    """Return the job of a world whose layout is known, and its next tasks."""
    layout = WorldLayout(1, rows, (("extremes relief",),), (64, 64 * rows), 64, 4)
    game = in_checkout(folder / "game")
    task = game.task("land")
    job = WorldJob(StaleLevel(task, "land", (), True), game.open().planner, at_once)
    plan = TaskResult(task, "land", 0.0, findings=WorldFindings(layout))
    return job, list(job.take(plan, NOTHING, None).tasks)
