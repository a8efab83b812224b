"""Worker processes: which builds a level, and messages when one dies or hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest

from daemon_harness import DEADLINE, environment, wait_until
from exporter.export import worker_process
from exporter.export import workers as workers_module
from exporter.export.level_builder import build_files
from exporter.export.tasks import Task, TaskResult
from exporter.export.workers import OnStage, Workers, build_all
from exporter.targets import TARGETS
from long_levels import RING
from odd_builders import ENDING, HANGING, KILLED, DyingFirst, imports, odd
from small_game import Game

posix = pytest.mark.skipif(os.name != "posix", reason="ends processes by signals")


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path / "game")


@pytest.fixture
def workers() -> Iterator[Workers]:
    with Workers(1, builder=odd) as result:
        yield result


def all_results(workers: Workers) -> list[TaskResult]:
    results: list[TaskResult] = []
    while workers.pending:
        results += workers.results(None)
    return results


def message_of(built: TaskResult) -> str:
    (problem,) = built.problems
    return problem.message.removeprefix("the worker process that built this level ")


def test_no_more_levels_are_built_at_once_than_requested_for(game: Game, workers: Workers) -> None:
    workers.submit([game.task("a"), game.task("b"), game.task("c")])
    assert workers.pending == 3
    assert len(workers._workers) == 1
    results = all_results(workers)
    assert [built.level for built in results] == ["a", "b", "c"]
    assert not [built.problems for built in results if built.problems]
    assert len({built.traceback for built in results}) == 1  # the same process
    assert workers.pending == 0


def test_levels_are_built_at_the_same_time(game: Game) -> None:
    with Workers(2, builder=odd) as workers:
        workers.submit([game.task("a", HANGING), game.task("b"), game.task("c")])
        assert len(workers._workers) == 2
        result: list[TaskResult] = []
        while len(result) < 2:
            result += workers.results(None)
        assert [built.level for built in result] == ["b", "c"]
        assert workers.pending == 1


@posix
def test_a_level_that_ends_its_worker_is_reported_and_the_others_are_built(
    game: Game, workers: Workers
) -> None:
    jobs = [game.task(name, KILLED) for name in "abcd"]
    workers.submit([*jobs, game.task("e", ENDING), game.task("f")])
    *killed, ended, good = all_results(workers)
    # However many are killed while they build: a worker that was ready could be started.
    assert [message_of(built) for built in killed] == ["was killed by SIGABRT"] * 4
    assert message_of(ended) == "ended with code 3"
    assert not good.problems
    assert (killed[0].level, killed[0].seconds) == ("a", 0.0)
    assert killed[0].problems[0].file.endswith("levels/a.level.yaml")


def test_workers_that_end_before_they_are_ready_are_not_started_for_ever(
    game: Game, tmp_path: Path
) -> None:
    dying = tmp_path / "dying"
    dying.mkdir()
    for number in range(100):
        (dying / str(number)).touch()
    with Workers(1, builder=DyingFirst(dying)) as workers:
        workers.submit([game.task(name) for name in "abcde"])
        assert [message_of(built) for built in all_results(workers)] == [
            *["ended with code 3"] * 3,
            *["cannot start: it ended with code 3"] * 2,
        ]
    assert len(list(dying.iterdir())) == 97


@posix
def test_a_worker_that_gets_ready_takes_the_failed_starts_back(game: Game, tmp_path: Path) -> None:
    dying = tmp_path / "dying"
    dying.mkdir()

    def let_die(count: int) -> None:
        for number in range(count):
            (dying / str(number)).touch()

    ended, killed = "ended with code 3", "was killed by SIGABRT"
    with Workers(1, builder=DyingFirst(dying)) as workers:
        for _ in range(2):
            let_die(2)
            workers.submit([game.task("a"), game.task("b"), game.task("c", KILLED)])
            assert [message_of(built) for built in all_results(workers)] == [ended, ended, killed]
        let_die(3)
        workers.submit([game.task(name) for name in "abcd"])
        assert [message_of(built) for built in all_results(workers)] == [
            *[ended] * 3,
            f"cannot start: it {ended}",
        ]


class Clock:
    """A clock that does not move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(workers_module, "monotonic", lambda: self.now)


def test_a_level_is_given_up_when_its_time_is_over(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    with Workers(2, 10.0, odd) as workers:
        workers.warm_up(2)
        while not all(worker.ready for worker in workers._workers):
            workers.results(1.0)
        clock.now = 100.0
        # Workers without a level have no time to keep.
        assert workers.results(0.0) == []
        assert len(workers._workers) == 2
        workers.submit([game.task("a", HANGING)])
        clock.now = 109.9
        assert workers.results(0.0) == []
        clock.now = 110.0
        (late,) = workers.results(None)
        assert message_of(late) == "gave no answer for 10 seconds"
        assert len(workers._workers) == 1
        assert workers.pending == 0


def test_waiting_ends_with_the_time_of_the_level(game: Game) -> None:
    with Workers(1, 0.2, odd) as workers:
        workers.submit([game.task("a", HANGING)])
        assert [message_of(built) for built in all_results(workers)] == [
            "gave no answer for 0.2 seconds"
        ]


def test_levels_that_are_finished_soon_are_given_together(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers_module, "GATHERING_SECONDS", 100.0)
    monkeypatch.setattr(workers_module, "GATHERED_LEVELS", 3)
    with Workers(1, builder=odd) as workers:
        workers.submit([game.task(name) for name in "abcdef"])
        names = [[built.level for built in workers.results(None)] for _ in range(2)]
        assert names[0] == ["a", "b", "c"]
        # The last level of all is given at once, and so is a level that no worker builds meanwhile.
        result = [*names[1], *(built.level for built in all_results(workers))]
        assert result == ["d", "e", "f"]


def test_gathering_levels_ends_when_something_else_is_ready(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers_module, "GATHERING_SECONDS", 100.0)
    ours, theirs = Pipe()
    with Workers(1, builder=odd) as workers:
        workers.submit([game.task("a"), game.task("b", HANGING), game.task("c")])
        result: list[str] = []
        theirs.send("now")
        while not result:
            result += [built.level for built in workers.results(None, [ours])]
        assert result == ["a"]


def test_waiting_ends_when_something_else_is_ready(game: Game, workers: Workers) -> None:
    ours, theirs = Pipe()
    workers.submit([game.task("a", HANGING)])
    while not workers._workers[0].ready:
        workers.results(1.0)
    theirs.send("now")
    assert workers.results(None, [ours]) == []
    assert workers.pending == 1


def test_a_level_is_cancelled_wherever_it_is(
    game: Game, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers.submit([game.task("a", HANGING), game.task("b"), game.task("c")])
    assert not workers.cancel("levels/x.level.yaml")
    assert workers.cancel("levels/b.level.yaml")
    assert workers.pending == 2
    hanging = workers._workers[0].process
    assert workers.cancel("levels/a.level.yaml")
    assert not hanging.is_alive()
    assert [built.level for built in all_results(workers)] == ["c"]
    workers.trim(0)

    def refuse(*_: Any) -> Any:
        raise OSError

    monkeypatch.setattr(workers_module, "_Worker", refuse)
    workers.submit([game.task("d"), game.task("e")])
    assert workers.cancel("levels/d.level.yaml")  # which is done, but was not fetched
    assert [built.level for built in all_results(workers)] == ["e"]


@pytest.mark.parametrize("refused", [range(1), range(2), range(1, 100)])
def test_a_start_that_is_refused_is_attempted_again_and_other_workers_go_on(
    game: Game, monkeypatch: pytest.MonkeyPatch, refused: range
) -> None:
    real = workers_module._Worker
    attempts: list[None] = []

    def start(*arguments: Any) -> Any:
        attempts.append(None)
        if len(attempts) - 1 in refused:
            raise OSError
        return real(*arguments)

    monkeypatch.setattr(workers_module, "_Worker", start)
    with Workers(2, builder=odd) as workers:
        workers.submit([game.task(name) for name in "abc"])
        results = all_results(workers)
        assert sorted(built.level for built in results) == ["a", "b", "c"]
        assert not [built.problems for built in results if built.problems]


def test_as_many_workers_wait_for_work_as_requested_for(game: Game) -> None:
    with Workers(4, builder=odd) as workers:
        workers.warm_up()
        assert len(workers._workers) == 1
        workers.submit([game.task("a", HANGING)])
        assert len(workers._workers) == 1
        workers.warm_up(2)
        workers.warm_up(2)
        assert len(workers._workers) == 3
        processes = [worker.process for worker in workers._workers]
        workers.trim(1)
        assert [process.is_alive() for process in processes] == [True, True, False]
        assert len(workers._workers) == 2
        workers.trim(0)
        assert [worker.task is not None for worker in workers._workers] == [True]


@posix
def test_a_waiting_worker_that_dies_is_replaced(game: Game, workers: Workers) -> None:
    workers.warm_up()
    process = workers._workers[0].process
    process.kill()
    process.join()
    while workers._workers:
        assert workers.results(None) == []
    workers.submit([game.task("a")])
    assert [built.problems for built in all_results(workers)] == [()]


def test_all_end_when_they_are_closed(game: Game, workers: Workers) -> None:
    workers.submit([game.task("a", HANGING), game.task("b")])
    (worker,) = workers._workers
    workers.close()
    assert not worker.process.is_alive()
    assert worker.connection.closed
    assert workers.pending == 0


@posix
def test_an_interrupt_from_the_terminal_is_left_to_the_owner(game: Game, workers: Workers) -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    workers.submit([game.task("a")])
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
    (first,) = all_results(workers)
    os.kill(int(first.traceback), signal.SIGINT)
    workers.submit([game.task("b")])
    (second,) = all_results(workers)
    assert not second.problems
    assert second.traceback == first.traceback


OWNER = """
import sys
from pathlib import Path
from exporter.export.workers import Workers
from long_levels import RING
from odd_builders import HANGING, odd
from small_game import Game

if __name__ == "__main__":
    workers = Workers(1, builder=odd)
    workers.submit([Game(Path(sys.argv[1])).task("a", HANGING)])
    while not workers._workers[0].ready:
        workers.results(1.0)
    print(workers._workers[0].process.pid, flush=True)
    sys.stdin.read()
"""


def runs(process: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize("killed", [True, False])
def test_a_busy_worker_ends_with_its_owner_however_it_ends(tmp_path: Path, killed: bool) -> None:
    harness = Path(__file__).parents[1] / "harness"
    (tmp_path / "owner.py").write_text(OWNER)
    path = [str(harness), environment()["PYTHONPATH"]]
    owner = subprocess.Popen(
        [sys.executable, "owner.py", str(tmp_path / "game")],
        cwd=tmp_path,
        env=environment() | {"PYTHONPATH": os.pathsep.join(path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert owner.stdin is not None
    assert owner.stdout is not None
    with owner:
        try:
            worker = int(owner.stdout.readline())
            assert runs(worker)
            if not killed:
                owner.stdin.close()  # which it waits for
                assert owner.wait(DEADLINE) == 0
        finally:
            owner.kill()
    wait_until(lambda: not runs(worker), "the end of the worker")


def test_a_worker_has_everything_at_hand_before_its_first_level(game: Game) -> None:
    names = TARGETS.built_in()
    game.settings("targets:\n" + "".join(f"  {name}: {{path: {name}}}\n" for name in names))
    item = replace(game.task("a"), content=worker_process._WARM_SPEC)
    with Workers(1, builder=imports) as workers:
        workers.submit([item])
        (built,) = all_results(workers)
    assert not built.problems
    # Modules that no other level needs may be imported later: codecs, formats, rules of sight.
    late = built.traceback.split()
    rooms = {name.split(".")[1] for name in late}
    assert not rooms & {"blob", "export", "generators", "pipeline", "reading", "targets"}, late
    assert "exporter.visibility.table" not in late


def test_a_worker_keeps_what_it_created_in_the_cache(game: Game) -> None:
    (game.root / ".exporter").mkdir()
    with Workers(1) as workers:
        workers.submit([game.task("a", 1)])
        (built,) = all_results(workers)
        workers.submit([game.task("b", 2)])  # begun after the first one was kept
        all_results(workers)
    assert built.saved
    again = build_files(game.task("a", 1))
    assert again.saved == 0
    assert [file.data for file in again.files] == [None] * len(built.files)


def test_levels_are_built_in_this_process_or_in_others(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game.root / ".exporter").mkdir()
    jobs = [game.task("a", 1), game.task("b", 2)]
    started: list[int] = []
    real = Workers

    def start(count: int, timeout: float | None, on_stage: OnStage | None) -> Workers:
        started.append(count)
        return real(count, timeout, on_stage=on_stage)

    monkeypatch.setattr(workers_module, "Workers", start)
    here = [built for group in build_all(deque(jobs), 1) for built in group]
    assert not started
    parallel = [built for group in build_all(deque(jobs), 2) for built in group]
    there = sorted(parallel, key=lambda built: built.level)
    assert started == [2]
    assert [built.layers for built in here] == [built.layers for built in there]
    assert not [built.problems for built in [*here, *there] if built.problems]


@pytest.mark.parametrize("processes", [1, 2])
def test_the_owner_is_reported_of_every_stage_and_of_the_end(game: Game, processes: int) -> None:
    (game.root / ".exporter").mkdir()
    reported: list[tuple[str, str]] = []

    def tell(task: Task, stage: str) -> None:
        reported.append((task.spec, stage))

    jobs = [game.task("a", 1), game.task("b", 2)]
    groups = build_all(deque(jobs), processes, on_stage=tell)
    built = [item for group in groups for item in group]
    assert not [item.problems for item in built if item.problems]
    for item in built:
        stages = [stage for spec, stage in reported if spec == item.task.spec]
        assert stages[0] == "read"
        assert stages[-1] == ""
        assert [stage for stage, _ in item.timings] == list(dict.fromkeys(filter(None, stages)))


@posix
def test_a_level_that_is_cancelled_or_given_up_has_no_stage_any_more(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[str] = []
    with Workers(1, 0.2, odd, on_stage=lambda _job, stage: reported.append(stage)) as result:
        result.submit([game.task("a", HANGING)])
        all_results(result)
        assert reported == [""]
        result.submit([game.task("b", HANGING)])
        result.cancel("levels/b.level.yaml")
        assert reported == ["", ""]


def test_level_that_takes_longer_than_it_may_is_ended_in_export(game: Game) -> None:
    game.spec("ring").write_text(RING)
    game.write("a")
    # The first is barely more than its estimate: a machine of thrice the speed takes longer still.
    # On a busy machine a process may not even reach the layer, whose time then grows as well.
    for seconds in (3, 6, 12):
        results = game.export(max_seconds=seconds)
        assert results["ring"].status == "failed"
        (problem,) = results["ring"].problems
        if "gave no answer" not in problem.message:
            break
    assert results["a"].status in ("built", "unchanged")
    assert problem.message == (
        f"building this level took longer than {seconds} seconds and was ended at layer 'ring' "
        "(--max-seconds allows more)"
    )
    assert problem.line == 4
    assert problem.source == "  ring:"
