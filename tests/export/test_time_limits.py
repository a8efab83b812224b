"""`--max-seconds`: expensive levels are refused, long ones ended, with their stage."""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path

import pytest

from exporter.export import level_builder as jobs
from exporter.export.level_builder import LevelBuilder, build_files, is_quick
from exporter.export.tasks import BuildStep
from exporter.export.workers import Workers, build_all
from exporter.model.errors import Problem
from long_levels import RING
from small_game import Game

DEAR = (
    "size: [64, 64]\nlayers:\n  relief: {generator: heightmap, droplets: 10000000, "
    "droplet_steps: 1000}\n"
)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path)


def write(game: Game, name: str, text: str) -> None:
    game.spec(name).write_text(text)


def test_a_dear_level_is_refused_and_the_others_are_exported(game: Game) -> None:
    game.write("a")
    write(game, "dear", DEAR)
    results = game.export(max_seconds=300)
    assert results["a"].status == "built"
    (problem,) = results["dear"].problems
    assert results["dear"].status == "failed"
    assert (problem.line, problem.message.split(" (")[1]) == (
        3,
        "allowed: 300; --max-seconds allows more)",
    )


def test_a_level_that_is_announced_is_built_with_a_warning(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.write("a")
    monkeypatch.setattr("exporter.build.costs.NOTABLE_SECONDS", 0.0)
    (warning,) = game.export()["a"].warnings
    assert warning.message.startswith("building this level takes about 0.0 seconds")


def test_only_levels_that_are_surely_quick_are_built_in_this_process(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_quick(game.task("a"))
    assert not is_quick(jobs.replace(game.task("a"), content=RING.encode()))
    assert not is_quick(jobs.replace(game.task("a"), content=DEAR.encode()))
    large = b"size: [4096, 4096]\nlayers: {a: {generator: blank}}\n"
    assert not is_quick(jobs.replace(game.task("a"), content=large))
    assert is_quick(jobs.replace(game.task("a"), content=b"size: nonsense"))
    monkeypatch.setattr("exporter.generators.GENERATORS.origin", lambda name: "another 1.0")
    assert not is_quick(game.task("a"))


def test_a_build_in_this_process_ends_before_its_next_step(game: Game) -> None:
    text = "size: [64, 64]\nlayers:\n  one: {generator: blank}\n  two: {generator: blank}\n"
    task = jobs.replace(game.task("a"), content=text.encode())
    reported: list[BuildStep] = []

    def dawdle(step: BuildStep) -> None:
        reported.append(step)
        time.sleep(0.55)

    builder = LevelBuilder(task, 0.5, dawdle)
    built = builder.run()
    assert [item.what for item in reported] == ["layer 'one'"]
    (problem,) = built.problems
    assert "took longer than 0.5 seconds and was ended at layer 'one'" in problem.message
    assert (problem.line, problem.severity) == (3, "error")
    assert build_files(task, 60).problems == ()


def test_every_step_is_reported_in_its_order(game: Game) -> None:
    reported: list[BuildStep] = []
    LevelBuilder(game.task("a"), None, reported.append).run()
    assert [item.what for item in reported] == ["layer 'ground'", "the files for tiled"]
    assert isinstance(reported[0].problem, Problem)
    assert reported[0].problem.message == ""


def test_workers_take_what_is_reported_for_no_result(game: Game) -> None:
    with Workers(1, 60) as workers:
        workers.submit([game.task("a"), game.task("b")])
        result = []
        while workers.pending:
            results = workers.results(60)
            assert results, "waiting ends with a result, not with what a worker is doing"
            result += results
    assert sorted(built.task.spec for built in result) == [
        "levels/a.level.yaml",
        "levels/b.level.yaml",
    ]
    assert not any(built.problems for built in result)


def test_levels_are_built_with_and_without_a_limit_to_the_same_bytes(game: Game) -> None:
    task = game.task("a")
    ((here,),) = build_all(deque([task]), 1, 300)
    ((without,),) = build_all(deque([task]), 1, None)
    assert [file.sha256 for file in here.files] == [file.sha256 for file in without.files]
