"""One level built for its targets: files, messages of failures, cache entries."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exporter.build.build import Build, build_level
from exporter.export.layer_reports import layer_report
from exporter.export.level_builder import LevelBuilder, build_files
from exporter.export.tasks import Task, content_from, content_name, level_key, peek_name
from exporter.formats import Artifact
from exporter.model.errors import ParameterError, StoreError
from exporter.model.level import Level
from exporter.reading.reader import parse_level
from exporter.store.cache import Cache
from exporter.targets import TARGETS, Exported
from small_game import Game

SPEC = "levels/a.level.yaml"


@pytest.fixture
def game(tmp_path: Path) -> Game:
    game = Game(tmp_path / "game")
    (game.root / ".exporter").mkdir()
    return game


@pytest.fixture
def artifacts() -> Iterator[Callable[[Any], None]]:
    """Let the target `tiled` have another function that makes its files."""
    entry = TARGETS.get("tiled")
    real = entry.artifacts
    yield lambda function: object.__setattr__(entry, "artifacts", function)
    object.__setattr__(entry, "artifacts", real)


def with_text(game: Game, text: str) -> Task:
    return replace(game.task("a"), content=text.encode())


def test_every_part_of_a_levels_key_counts() -> None:
    keys = {
        level_key("code", "project", "spec", "digest"),
        level_key("x", "project", "spec", "digest"),
        level_key("code", "x", "spec", "digest"),
        level_key("code", "project", "x", "digest"),
        level_key("code", "project", "spec", "x"),
    }
    assert len(keys) == 5
    assert level_key("code", "project", "spec", "digest") in keys


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("size: [8, 8]", "cave"),
        ("level: hall\nsize: [8, 8]", "hall"),
        ("size: [8, 8]  # level", "cave"),
        ("level: 5", "cave"),
        ("level: [hall]", "cave"),
        ("level: {", "cave"),
        ("[level]", "cave"),
    ],
)
def test_a_levels_name_is_detected_without_a_look_at_the_rest(text: str, name: str) -> None:
    assert peek_name(text.encode(), "levels/cave.level.yaml") == name


def test_the_files_of_every_target_come_in_order(game: Game) -> None:
    game.settings("targets:\n  tiled: {path: ./t, bitmaps: false}\n  godot: {path: g}\n")
    before = time.perf_counter()
    built = build_files(game.task("a"))
    assert 0 <= built.seconds <= time.perf_counter() - before
    assert (built.level, built.problems, built.warnings) == ("a", (), ())
    targets = [file.target for file in built.files]
    assert targets == sorted(targets, reverse=True)
    assert built.files[0].path.startswith("t/a.")
    assert {file.path.split("/")[0] for file in built.files} == {"t", "g"}
    assert list(built.layers) == ["ground"]
    assert any(file.once for file in built.files)  # import settings are the user's own


def test_what_was_created_goes_into_the_cache_once(game: Game) -> None:
    builder = LevelBuilder(game.task("a"))
    built = builder.run()
    assert built.saved == sum(map(len, builder.unsaved.values())) > 0
    cache = Cache(game.root / ".exporter")
    keys = dict(builder.unsaved)
    builder.save()
    assert {key: cache.load(key) for key in keys} == keys
    assert not builder.unsaved
    for file in built.files:
        assert cache.load(content_name(file.sha256)) == file.data
        assert content_from(cache, file) == file.data
        assert content_from(cache, replace(file, data=None)) == file.data
    assert content_from(cache, replace(built.files[0], data=None, sha256="0" * 64)) is None
    again = build_files(game.task("a"))
    assert again.saved == 0
    assert list(again.files) == [replace(file, data=None) for file in built.files]


def test_a_fresh_build_takes_nothing_from_the_cache(game: Game) -> None:
    built = build_files(game.task("a"))
    fresh = build_files(replace(game.task("a"), fresh=True))
    assert fresh.files == built.files
    assert all(file.data is not None for file in fresh.files)


def test_a_wrong_spec_is_reported_with_all_its_problems(game: Game) -> None:
    before = time.perf_counter()
    built = build_files(with_text(game, "level: hall\nsize: [8]\nzzz: 1\n"))
    assert 0 <= built.seconds <= time.perf_counter() - before
    assert built.level == "hall"
    assert [(problem.line, problem.file.endswith(SPEC)) for problem in built.problems] == [
        (2, True),
        (3, True),
    ]
    assert (built.files, built.traceback, built.inputs) == ((), "", {})


def test_a_failed_level_has_the_files_that_it_missed(game: Game) -> None:
    (game.root / "levels" / "good.txt").write_text("..\n..\n")
    built = build_files(
        with_text(
            game,
            "size: [4, 4]\nlayers:\n  map: {generator: prefabs, "
            "prefabs: [{file: good.txt}, {file: gone.txt}]}\n",
        )
    )
    assert len(built.problems) == 1
    assert built.inputs == {"levels/gone.txt": ""}


def test_what_the_user_can_fix_is_reported_without_a_traceback(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_build: Build) -> None:
        raise StoreError("the disk is away")

    monkeypatch.setattr(Build, "prepare", refuse)
    built = build_files(game.task("a"))
    (problem,) = built.problems
    assert problem.message == "the disk is away"
    assert problem.file.endswith(SPEC)
    assert built.traceback == ""


@pytest.mark.parametrize("error", [RuntimeError("odd"), RecursionError("odd"), MemoryError("odd")])
def test_a_bug_of_ours_fails_its_level_alone_and_can_be_reported(
    game: Game, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(_build: Build) -> None:
        raise error

    monkeypatch.setattr(Build, "prepare", fail)
    built = build_files(game.task("a"))
    (problem,) = built.problems
    assert problem.message == f"the exporter itself failed ({type(error).__name__}: odd)"
    assert problem.file.endswith(SPEC)
    assert built.traceback.startswith("Traceback")
    assert built.traceback.rstrip().endswith("odd")


def test_what_a_target_cannot_do_is_reported_at_its_position_in_the_settings(
    game: Game, artifacts: Callable[[Any], None]
) -> None:
    def refuse(*_arguments: Any) -> Exported:
        raise ParameterError("too wide for this engine")

    artifacts(refuse)
    (problem,) = build_files(game.task("a")).problems
    assert problem.message == "too wide for this engine"
    assert problem.file.endswith("exporter.yaml")
    assert problem.line == 2


def test_what_a_target_warns_of_is_reported_with_its_name_and_remembered(
    game: Game, artifacts: Callable[[Any], None]
) -> None:
    def warn(level: Level, *_: Any) -> Exported:
        file = Artifact(f"sub/{level.name}.txt", "tilemap", b"text", "ground")
        return Exported((file,), ("too large",))

    artifacts(warn)
    for _ in range(2):
        built = build_files(game.task("a"))
        (warning,) = built.warnings
        assert (warning.message, warning.severity) == ("tiled: too large", "warning")
        assert warning.file.endswith(SPEC)
        (file,) = built.files
        assert (file.path, file.kind, file.layer) == ("t/sub/a.txt", "tilemap", "ground")
        assert (file.target, file.size, file.once) == ("tiled", 4, False)


def test_the_targets_of_a_level_share_their_work(
    game: Game, artifacts: Callable[[Any], None]
) -> None:
    game.settings("targets:\n  one: {engine: tiled, path: t}\n  two: {engine: tiled, path: u}\n")
    shared: list[Any] = []

    def note(_level: Level, _options: Any, folder: str, work: Any) -> Exported:
        shared.append((folder, work.once("made", object)))
        return Exported(())

    artifacts(note)
    build_files(game.task("a"))
    assert [position for position, _ in shared] == ["t", "u"]
    assert shared[0][1] is shared[1][1]
    build_files(replace(game.task("b"), fresh=True))
    assert shared[2][1] is not shared[0][1]


def test_the_report_of_a_layer_has_its_certificate() -> None:
    text = "size: [8, 8]\nlayers: {a: {generator: maze}, h: {generator: heightmap}}\n"
    layers = build_level(parse_level(text.encode(), "x.level.yaml")).layers
    certificate = layers["a"].certificate
    assert certificate is not None
    layer = replace(layers["a"], report={"tries": 2}, complete=False)
    assert certificate.start is not None
    assert layer_report(layer) == {
        "generator": "maze",
        "version": layer.version,
        "complete": False,
        "certificate": {
            "connected": True,
            "regions_before": certificate.regions_before,
            "regions_after": certificate.regions_after,
            "cells_carved": certificate.cells_carved,
            "floor": certificate.floor,
            "cells": 64,
            "farthest": certificate.farthest,
            "start": list(certificate.start),
            "dead_ends": certificate.dead_ends,
            "chokes": certificate.chokes,
        },
        "report": {"tries": 2},
    }
    nowhere = replace(layer, certificate=replace(certificate, start=None))
    assert layer_report(nowhere)["certificate"]["start"] is None
    assert layer_report(replace(layer, certificate=None))["certificate"] is None
