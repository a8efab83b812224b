"""Exports that share a store: shards fill it, a whole run takes from it and settles removals."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from command_line import run_json
from exporter.cli.main import main
from exporter.export import shared_levels, workers
from exporter.export.events import Event, ProjectProblems
from exporter.export.export import export_project
from exporter.export.level_builder import build_files
from exporter.export.level_records import decode_level, encode_level, record_key
from exporter.export.settings import Settings
from exporter.export.shards import Shard
from exporter.export.shared_store import MARK, SharedStore
from exporter.model.errors import FarmError
from silent_reporter import SilentReporter
from small_game import Game

COUNT = 9
WHOLE = "targets:\n  godot: {path: g}\n  unity: {path: u}\n  tiled: {path: t}\n"


@pytest.fixture
def game(tmp_path: Path) -> Game:
    game = Game(tmp_path / "game")
    for number in range(COUNT):
        game.write(f"level{number}", seed=number)
    return game


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "store")


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The specs of the levels that are built in this process."""
    specs: list[str] = []
    real = workers.build_files

    def build(task: Any, *rest: Any) -> Any:
        specs.append(task.spec)
        return real(task, *rest)

    monkeypatch.setattr(workers, "build_files", build)
    return specs


def copy(game: Game, folder: Path) -> Game:
    """Return a checkout of the same project elsewhere: no state, no outputs."""
    other = Game(folder)
    shutil.rmtree(folder)
    ignored = shutil.ignore_patterns(".exporter", "t", "g", "u")
    shutil.copytree(game.root, folder, ignore=ignored)
    return other


def test_shards_on_other_machines_build_all_and_a_whole_run_only_takes(
    game: Game, store: str, tmp_path: Path, built: list[str]
) -> None:
    game.settings(WHOLE)
    alone = copy(game, tmp_path / "alone")
    alone.export()
    built.clear()
    done: list[str] = []
    for number in (1, 2, 3):
        machine = copy(game, tmp_path / f"machine{number}")
        results = machine.export(store=store, shard=Shard(number, 3))
        assert {result.status for result in results.values()} == {"built"}
        done += results
    assert sorted(done) == sorted(f"level{number}" for number in range(COUNT))
    assert len(built) == COUNT
    built.clear()
    results = game.export(store=store)
    assert not built
    assert {result.status for result in results.values()} == {"built"}
    assert game.contents() == alone.contents()
    assert {item.status for item in game.export(store=store).values()} == {"unchanged"}
    # Without the store it is the same project, too.
    assert {item.status for item in game.export().values()} == {"unchanged"}


def test_what_a_level_reads_decides_which_record_counts(
    game: Game, store: str, tmp_path: Path, built: list[str]
) -> None:
    spec = game.root / "levels" / "drawn.level.yaml"
    spec.write_text("size: [8, 8]\nlayers: {ground: {generator: from_image, image: a.png}}\n")
    picture(game.root / "levels" / "a.png", 0)
    first = copy(game, tmp_path / "first")
    results = first.export(store=store, levels=("drawn",))
    assert results["drawn"].status == "built", results["drawn"].problems
    picture(game.root / "levels" / "a.png", 255)
    second = copy(game, tmp_path / "second")
    second.export(store=store, levels=("drawn",))
    assert len(built) == 2
    assert first.contents() != second.contents()
    for other, bright in ((first, 0), (second, 255)):
        again = copy(other, tmp_path / f"again{bright}")
        again.export(store=store, levels=("drawn",))
        assert again.contents() == other.contents()
    assert len(built) == 2


def picture(path: Path, value: int) -> None:
    from PIL import Image

    Image.new("RGB", (8, 8), (value, value, value)).save(path)


def test_hand_edits_that_come_make_another_level(
    game: Game, store: str, tmp_path: Path, built: list[str]
) -> None:
    game.export(store=store, levels=("level1",))
    edits = game.root / "levels" / "level1.edits.yaml"
    edits.write_text("layers: {ground: [{at: [1, 1], tile: floor}]}\n")
    other = copy(game, tmp_path / "other")
    result = other.export(store=store, levels=("level1",))["level1"]
    assert built == ["levels/level1.level.yaml"] * 2, result.problems


@pytest.mark.parametrize("part", ["contents", "levels"])
@pytest.mark.parametrize("how", ["bytes", "short", "gone"])
def test_a_damaged_store_is_reported_and_mended(
    game: Game, store: str, tmp_path: Path, built: list[str], part: str, how: str
) -> None:
    game.export(store=store, levels=("level1",))
    built.clear()
    files = [path for path in Path(store, part).rglob("*") if path.is_file()]
    whole = {path: path.read_bytes() for path in files}
    for path, data in whole.items():
        if how == "gone":
            path.unlink()
        else:
            path.write_bytes(bytes([data[0] ^ 1]) + data[1:] if how == "bytes" else data[:-1])
    other = copy(game, tmp_path / "other")
    other.export(store=store, levels=("level1",))
    assert len(built) == 1
    assert other.contents() == game.contents()
    assert bool(other.remarks()) == (how != "gone")
    assert all("is not what its name says" in text for text in other.remarks())
    assert {path: path.read_bytes() for path in files} == whole
    third = copy(game, tmp_path / "third")
    third.export(store=store, levels=("level1",))
    assert len(built) == 1
    assert not third.remarks()


def test_a_record_that_leads_out_of_its_target_is_refused(game: Game) -> None:
    task = game.task("level1")
    record = encode_level(build_files(task))
    assert decode_level(record, task).files
    document = json.loads(record)
    for path in ("../x", "t/../x", "/etc/x", "levels/level1.level.yaml", "tx/y"):
        bad = json.loads(record)
        bad["files"][0][0] = path
        with pytest.raises(FarmError, match="is not inside 't'"):
            decode_level(json.dumps(bad).encode(), task)
    warning = ["m", "levels/level1.level.yaml", 1e999, 1, "", 1, "warning"]
    first = document["files"][0]
    for change in (
        {"files": [[1]]},
        {"files": [first, first]},
        {"files": [["t/a\0b", *first[1:]]]},
        {"files": [["t/a\nb", *first[1:]]]},
        {"inputs": 3},
        {"inputs": {"\ud800": ""}},
        {"warnings": [["x"]]},
        {"warnings": [warning]},
        {"level": None},
        {"level": "\ud800"},
        {"layers": {"ground": 1}},
        {"objects": {"chest": {"placed": 1}}},
    ):
        with pytest.raises(FarmError, match="is from another exporter"):
            decode_level(json.dumps({**document, **change}).encode(), task)
    for text in (b"", b"[]", b"[" * 100_000, b"\xff"):
        with pytest.raises(FarmError, match="is from another exporter"):
            decode_level(text, task)


def test_a_poisoned_record_costs_no_more_than_building_its_level(
    game: Game, store: str, tmp_path: Path, built: list[str]
) -> None:
    game.export(store=store)
    built.clear()
    for path in [path for path in Path(store, "levels").rglob("*") if path.is_file()][:2]:
        poison = path.read_bytes().replace(b'"layers":{', b'"layers":{"\\ud800":1,')
        path.unlink()
        path.with_name(hashlib.sha256(poison).hexdigest()).write_bytes(poison)
    other = copy(game, tmp_path / "other")
    other.export(store=store)
    assert len(built) == 2
    assert other.contents() == game.contents()
    assert "is from another exporter" in other.remarks()[0]
    copy(game, tmp_path / "third").export(store=store)
    assert len(built) == 2


def test_a_record_says_the_same_wherever_the_level_was_built(game: Game, tmp_path: Path) -> None:
    # A warning at exporter.yaml, and one at the spec.
    game.settings(
        "targets:\n  godot: {path: g, blob: false, scenes: {chest: 'res://chest.tscn'}}\n"
    )
    (game.root / "project.godot").write_text("")
    game.write("level1", more="objects: [{name: chest}]\nbudget: {blob: 9000}\n")
    other = copy(game, tmp_path / "a" / "longer" / "path")
    (here, there) = (item.task("level1") for item in (game, other))
    content = game.spec("level1").read_bytes()
    built = [build_files(replace(task, content=content)) for task in (here, there)]
    assert len({Path(warning.file).name for warning in built[0].warnings}) == 2
    assert encode_level(built[0]) == encode_level(built[1])
    again = decode_level(encode_level(built[0]), built[1].task)
    assert again.warnings == built[1].warnings
    assert again.objects == built[1].objects


def test_the_key_is_another_where_the_target_lies_in_a_game(game: Game) -> None:
    task = game.task("level1")
    assert record_key(task, {"godot": None}) != record_key(task, {"godot": ""})


def test_forcing_builds_and_adds_anew(game: Game, store: str, built: list[str]) -> None:
    game.export(store=store, levels=("level1",))
    (content, *_) = (path for path in Path(store, "contents").rglob("*") if path.is_file())
    whole = content.read_bytes()
    content.write_bytes(bytes(len(whole)))
    game.export(store=store, levels=("level1",), force=True)
    assert len(built) == 2
    assert content.read_bytes() == whole


def test_a_level_of_which_the_local_cache_has_all_still_fills_the_store(
    game: Game, store: str
) -> None:
    game.export()
    shutil.rmtree(game.root / "t")
    results = game.export(store=store)
    assert {result.status for result in results.values()} == {"built"}
    assert len([path for path in Path(store, "levels").rglob("*") if path.is_file()]) == COUNT


def test_failures_are_not_preserved(game: Game, store: str, built: list[str]) -> None:
    game.spec("level1").write_text("size: [8, 8]\nlayers: {a: {generator: image, file: no.png}}\n")
    for _ in range(2):
        assert game.export(store=store, levels=("level1",))["level1"].status == "failed"
    assert len(built) == 2


# --- shards -------------------------------------------------------------------------------------


def share(number: int) -> list[str]:
    """Return the levels of one of two shards."""
    shard = Shard(number, 2)
    names = [f"level{number}" for number in range(COUNT)]
    return sorted(name for name in names if shard.has(f"levels/{name}.level.yaml"))


def test_a_shard_reports_its_levels_and_leaves_all_others_alone(game: Game) -> None:
    game.export()
    before = game.contents()
    removed = share(2)[0]
    renamed = share(1)[0]
    game.spec(removed).unlink()
    game.spec(renamed).rename(game.spec("renamed"))
    game.settings("targets:\n  tiled: {path: t2, blob: false, bitmaps: false}\n")
    status = {path.name for path in (game.root / ".exporter" / "levels").iterdir()}
    for number in (1, 2):
        results = game.export(shard=Shard(number, 2))
        expected = set(share(number)) - {removed, renamed}
        if Shard(number, 2).has("levels/renamed.level.yaml"):
            expected.add("renamed")
        assert set(results) == expected
        assert not [event for event in game.reporter.events if not is_of_a_shard(event)]
    assert before.items() <= game.contents().items()
    assert status <= {path.name for path in (game.root / ".exporter" / "levels").iterdir()}
    entries = game.open().store.peek()
    assert f"levels/{removed}.level.yaml" in entries
    # The whole run finishes the work that the shards left.
    game.export()
    assert f"levels/{removed}.level.yaml" not in game.open().store.peek()
    assert not (game.root / "t" / f"{removed}.tmj").exists()
    assert (game.root / "t" / "level1.tmj").exists()  # of a target that is dropped: `clean --stale`


def is_of_a_shard(event: Event) -> bool:
    return type(event).__name__ in (
        "LevelResult", "Progress", "Building", "Finished", "Upkeep", "Recovered",
    )  # fmt: skip


def test_a_whole_run_after_shards_in_the_same_folder_finds_all_done(game: Game) -> None:
    for number in (1, 2):
        game.export(shard=Shard(number, 2))
    assert {item.status for item in game.export().values()} == {"unchanged"}


def test_a_shard_brings_no_plugins(game: Game) -> None:
    (game.root / "project.godot").write_text("")
    game.settings("targets:\n  godot: {path: g, plugin: true}\n")
    game.export(shard=Shard(1, 2))
    assert not (game.root / "addons").exists()
    game.export()
    assert (game.root / "addons").exists()


def run(game: Game, *options: str) -> tuple[int, dict[str, Any]]:
    return run_json("export", game.root, "--json", *options)


def test_the_report_of_a_shard_lists_its_levels_and_check_looks_at_them_alone(
    game: Game, store: str
) -> None:
    code, report = run(game, "--check", "--shard", "1/2", "--store", store)
    assert (code, sorted(item["level"] for item in report["levels"])) == (1, share(1))
    assert not Path(store).exists()
    code, report = run(game, "--shard", "1/2", "--store", store)
    assert (code, sorted(item["level"] for item in report["levels"])) == (0, share(1))
    assert run(game, "--check", "--shard", "1/2")[0] == 0
    assert run(game, "--check", "--shard", "2/2")[0] == 1
    both = share(2)[0]
    code, report = run(game, "--shard", "2/2", "--level", both, "--level", share(1)[0])
    assert [item["level"] for item in report["levels"]] == [both]
    assert run(game, "--shard", "1/1000")[1]["levels"] == []


def test_a_check_takes_from_the_store_and_writes_nothing(
    game: Game, store: str, tmp_path: Path, built: list[str]
) -> None:
    game.export(store=store)
    built.clear()
    other = copy(game, tmp_path / "other")
    files = sorted(Path(store).rglob("*"))
    code, report = run(other, "--check", "--store", store)
    assert code == 1
    assert len(report["written"]) == len(game.contents())
    assert not built
    assert not other.contents()
    assert sorted(Path(store).rglob("*")) == files


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--shard", "0/2"], "the number of the shard is out of range"),
        (["--shard", "x"], "is not of the form I/N"),
        (["--cluster", "tcp://127.0.0.1:1"], "--cluster has no store"),
        (["--store", ""], "--store is empty"),
    ],
)
def test_wrong_options_are_reported(
    game: Game, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    try:
        code = main(["export", str(game.root), *options])
    except SystemExit as ended:
        code = int(ended.code or 0)
    assert code == 2
    assert said in capsys.readouterr().err
    assert not game.contents()


# --- trouble ------------------------------------------------------------------------------------


def test_a_store_that_cannot_be_used_ends_the_export_before_it_begins(
    game: Game, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    code, report = run(game, "--store", str(tmp_path))
    assert code == 1
    assert "it is no store of the exporter" in report["errors"][0]["message"]
    assert not game.contents()
    assert main(["export", str(game.root), "--store", str(tmp_path)]) == 1
    assert "it is no store of the exporter" in capsys.readouterr().err


def test_a_store_that_takes_no_more_is_reported_when_all_is_exported(
    game: Game, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise FarmError(f"{store}: No space left on device")

    monkeypatch.setattr(SharedStore, "save_content", full)
    code, report = run(game, "--store", store)
    assert code == 1
    assert [item["message"] for item in report["errors"]] == [f"{store}: No space left on device"]
    assert [item["status"] for item in report["levels"]] == ["built"] * COUNT
    assert len(game.outputs()) >= COUNT
    monkeypatch.undo()
    assert run(game)[0] == 0


def test_a_store_that_vanishes_while_it_is_read_ends_the_export_with_what_is_done(
    game: Game, store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.export(store=store)
    other = copy(game, tmp_path / "other")
    reporter = SilentReporter()
    real = SharedStore.records
    requested: list[str] = []

    def records(self: SharedStore, key: str) -> Any:
        requested.append(key)
        if len(requested) == 4:
            Path(store).rename(tmp_path / "away")
        return real(self, key)

    monkeypatch.setattr(SharedStore, "records", records)
    monkeypatch.setattr(shared_levels, "_STORED_TOGETHER", 1)
    with pytest.raises(FarmError, match="is it mounted") as raised:
        export_project(other.root, Settings(jobs=1, store=store), reporter)
    assert raised.value.is_reported
    problems = [event for event in reporter.events if isinstance(event, ProjectProblems)]
    assert "is it mounted" in problems[-1].problems[-1].message
    finished = reporter.events[-1]
    assert [result.status for result in finished.results] == ["built"] * 3  # type: ignore[union-attr]
    monkeypatch.undo()
    (tmp_path / "away").rename(store)
    assert len(other.export(store=store)) == COUNT


def test_the_store_is_not_one_of_the_project_unless_it_is_named(game: Game, store: str) -> None:
    game.export()
    assert not Path(store).exists()
    assert MARK not in {path.name for path in game.root.rglob("*")}


def test_a_remote_store_is_requested_for_a_few_levels_ahead(
    game: Game, tmp_path: Path, built: list[str]
) -> None:
    pytest.importorskip("fsspec")
    url = f"memory://{tmp_path.name}"
    for number in range(COUNT, 3 * shared_levels._AT_ONCE):
        game.write(f"level{number}", seed=number)
    alone = copy(game, tmp_path / "alone")
    alone.export()
    copy(game, tmp_path / "first").export(store=url)
    built.clear()
    game.export(store=url)
    assert not built
    assert game.contents() == alone.contents()
