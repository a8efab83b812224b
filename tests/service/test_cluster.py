"""Real schedulers and workers of Dask: the same bytes, whatever happens to them."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import exporter
from command_line import run
from daemon_harness import Project, fresh_copy, wait_until
from dask_cluster import DaskCluster, Running, records
from exporter._version import __version__
from exporter.export import cluster as cluster_module
from exporter.export.cluster import Cluster, Done, FailedTask
from exporter.model.errors import FarmError
from s3_server import free_port

pytest.importorskip("distributed")

from deadly_tasks import do_task

Game = tuple[Project, Project]
PARTS = 7 * 6
# Of the regions that are joined: a survey of every row of parts.
SURVEYS = 6
# The levels beside the world.
LEVELS = 8


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a scheduler answer late where other work keeps the machine busy."""
    monkeypatch.setattr(cluster_module, "DROPPED_SECONDS", 300.0)


@pytest.fixture
def own_cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    """Return a cluster without workers, which a test may ruin."""
    with DaskCluster(tmp_path / "cluster") as dask_cluster:
        yield dask_cluster


def test_a_lost_worker_costs_its_tasks_only(
    game: Game, cluster: DaskCluster, tmp_path: Path
) -> None:
    project, alone = game
    machine = fresh_copy(project, tmp_path / "machine")
    store = tmp_path / "store"
    doomed = cluster.worker()
    running = Running(machine, store, cluster.address)
    wait_until(lambda: records(store) >= SURVEYS + 6, "parts in the store")
    doomed.kill()
    code, report, _ = running.ended()
    assert code == 0
    assert {item["status"] for item in report["levels"]} == {"built"}
    assert machine.outputs() == alone.outputs()
    assert records(store) == PARTS + SURVEYS + LEVELS
    machine.assert_true()


def test_seeds_and_packs_are_those_of_one_machine(cluster: DaskCluster, tmp_path: Path) -> None:
    spec = Project(tmp_path / "game").write("cave", size=24)
    requested = ("--json", "--count", "5", "--budget", "200", "--where", "farthest > 20")
    results = []
    for name, machines in (("alone", ("--jobs", "1")), ("all", ("--cluster", cluster.address))):
        pack = tmp_path / f"{name}.lvp"
        found = run("seeds", spec, *requested, *machines)
        packed = run("seeds", spec, *requested, *machines, "--pack", str(pack))
        assert (found.returncode, packed.returncode) == (0, 0), (found, packed)
        results.append((found.stdout, packed.stdout, pack.read_bytes()))
    assert results[0] == results[1]


def test_late_worker_is_waited_for_and_a_lost_scheduler_ends_the_export(
    game: Game, own_cluster: DaskCluster, tmp_path: Path
) -> None:
    project, alone = game
    machine = fresh_copy(project, tmp_path / "machine")
    store = tmp_path / "store"
    reported: list[str] = []
    with Cluster(own_cluster.address, do_task, reported.append, worker_seconds=2.0) as tasks:
        tasks.submit(b"a")
        with pytest.raises(FarmError, match=r"no worker joined the scheduler at .* in 2 seconds"):
            list(tasks.results())
    assert reported == [f"the scheduler at {own_cluster.address} has no workers; waiting for one"]
    running = Running(machine, store, own_cluster.address)
    # It looks for its scheduler once the store is up.
    wait_until(store.exists, "a store")
    assert running.process.poll() is None
    own_cluster.worker()
    wait_until(lambda: records(store) >= SURVEYS + 6, "parts in the store")
    own_cluster.scheduler.kill()
    code, report, _ = running.ended()
    assert code == 1
    message = report["errors"][0]["message"]
    assert f"the connection to the scheduler at {own_cluster.address} is lost" in message
    assert (
        report.get("remarks", reported) == reported
    )  # a worker that comes at once is not waited for
    assert records(store) < PARTS + SURVEYS + LEVELS
    done = machine.export("--store", str(store))
    assert done.returncode == 0
    assert machine.outputs() == alone.outputs()
    machine.assert_true()


def test_missing_scheduler_and_wrong_addresses_are_refused(tmp_path: Path) -> None:
    project = Project(tmp_path / "game")
    project.write("cave")
    free = f"tcp://127.0.0.1:{free_port()}"
    none = "is no address of a Dask scheduler"
    for address, words in (
        (free, f"no Dask scheduler answers at {free}: "),
        ("nonsense", f"'nonsense' {none}"),
        ("tcp://127.0.0.1:99999", f"'tcp://127.0.0.1:99999' {none}"),
        ("http://127.0.0.1:1", f"'http://127.0.0.1:1' {none}"),
    ):
        done = project.export("--store", str(tmp_path / "store"), "--cluster", address)
        assert done.returncode == 1, address
        assert words in json.loads(done.stdout)["errors"][0]["message"]
        assert not project.outputs()


def test_worker_of_another_version_is_refused_with_both_versions(
    game: Game, own_cluster: DaskCluster, tmp_path: Path
) -> None:
    machine = fresh_copy(game[0], tmp_path / "machine")
    other = tmp_path / "other"
    shutil.copytree(
        Path(exporter.__file__).parent,
        other / "exporter",
        ignore=shutil.ignore_patterns("__pycache__", "docs", "*.c"),
    )
    version = other / "exporter" / "_version.py"
    version.write_text(version.read_text().replace(__version__, "0.0.7"))
    own_cluster.worker({"PYTHONPATH": str(other)})
    store = tmp_path / "store"
    done = machine.export("--store", str(store), "--cluster", own_cluster.address)
    assert done.returncode == 1
    message = json.loads(done.stdout)["errors"][0]["message"]
    assert "has exporter 0.0.7 (code " in message
    assert f"but here it is exporter {__version__} (code " in message
    assert not machine.outputs()
    assert records(store) == 0


@pytest.mark.parametrize(
    ("count", "threads", "given"),
    [
        (2, 1, (b"a", b"end", b"b")),
        # The worker is at both when it ends, so the scheduler blames both.
        (1, 2, (b"end late", b"slow", b"end late", b"a")),
    ],
)
def test_task_that_ends_every_worker_is_given_up_and_the_others_are_done(
    own_cluster: DaskCluster, count: int, threads: int, given: tuple[bytes, ...]
) -> None:
    stop = threading.Event()

    def replace() -> None:
        """Be a supervisor: start a worker for each that ends."""
        workers = [own_cluster.worker(threads=threads) for _ in range(count)]
        while not stop.wait(0.1):
            workers = [worker for worker in workers if worker.poll() is None]
            while len(workers) < count:
                workers.append(own_cluster.worker(threads=threads))

    thread = threading.Thread(target=replace)
    thread.start()
    result: list[Done | FailedTask] = []
    try:
        with Cluster(own_cluster.address, do_task, lambda _: None) as tasks:
            for task in given:
                tasks.submit(task)
            while tasks.pending:
                result += tasks.results()
            assert tasks.has_room
    finally:
        stop.set()
        thread.join()
    deadly = [task.startswith(b"end") for task in given]
    assert {item.task: type(item) for item in result} == {
        number: FailedTask if ends else Done for number, ends in enumerate(deadly)
    }
    answers = {item.answer for item in result if isinstance(item, Done)}
    assert answers == {task.upper() for task in given if not task.startswith(b"end")}


def test_task_that_raises_is_a_fault_of_the_cluster(cluster: DaskCluster) -> None:
    with Cluster(cluster.address, do_task, lambda _: None) as tasks:
        tasks.submit(b"raise")
        with pytest.raises(FarmError, match=r"cannot do the work \(ValueError: of a task\)"):
            list(tasks.results())
