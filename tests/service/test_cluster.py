"""Real schedulers and workers of Dask: the same bytes, whatever happens to them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import exporter
from daemon_harness import DEADLINE, Project, environment, fresh_copy, wait_until
from dask_cluster import DaskCluster, Running, records
from exporter._version import __version__
from s3_server import free_port

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed"
)
LEVELS = 24


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Project]:
    """A project, and a copy of it that one machine has exported."""
    folder = tmp_path_factory.mktemp("farm")
    project = Project(folder / "game")
    for number in range(LEVELS):
        project.write(f"level{number}", seed=number)
    alone = fresh_copy(project, folder / "alone")
    assert alone.export().returncode == 0
    return project, alone


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    with DaskCluster(tmp_path / "cluster") as made:
        yield made


def test_the_same_bytes_as_on_one_machine_with_threads_and_processes(
    reference: tuple[Project, Project], cluster: DaskCluster, tmp_path: Path
) -> None:
    project, alone = reference
    machine = fresh_copy(project, tmp_path / "machine")
    cluster.worker()
    cluster.worker(threads=3)
    code, report, _ = Running(machine, tmp_path / "store", cluster.address).ended()
    assert code == 0
    assert {one["status"] for one in report["levels"]} == {"built"}
    assert machine.outputs() == alone.outputs()
    assert records(tmp_path / "store") == LEVELS
    machine.assert_true()


def test_a_lost_worker_costs_its_levels_and_no_more(
    reference: tuple[Project, Project], cluster: DaskCluster, tmp_path: Path
) -> None:
    project, alone = reference
    machine = fresh_copy(project, tmp_path / "machine")
    doomed, _ = cluster.worker(), cluster.worker()
    store = tmp_path / "store"
    running = Running(machine, store, cluster.address)
    wait_until(lambda: records(store) >= 4, "levels in the store")
    doomed.kill()
    code, report, _ = running.ended()
    assert code == 0
    assert {one["status"] for one in report["levels"]} == {"built"}
    assert machine.outputs() == alone.outputs()
    assert records(store) == LEVELS


def test_workers_may_come_late(
    reference: tuple[Project, Project], cluster: DaskCluster, tmp_path: Path
) -> None:
    project, alone = reference
    machine = fresh_copy(project, tmp_path / "machine")
    running = Running(machine, tmp_path / "store", cluster.address)
    time.sleep(8)
    assert running.process.poll() is None
    cluster.worker()
    code, report, _ = running.ended()
    assert code == 0
    assert machine.outputs() == alone.outputs()
    assert report["remarks"] == [
        f"the scheduler at {cluster.address} has no workers; waiting for one"
    ]


def test_a_scheduler_that_leaves_is_told_and_another_export_goes_on(
    reference: tuple[Project, Project], cluster: DaskCluster, tmp_path: Path
) -> None:
    project, alone = reference
    machine = fresh_copy(project, tmp_path / "machine")
    worker = cluster.worker()
    store = tmp_path / "store"
    running = Running(machine, store, cluster.address)
    wait_until(lambda: records(store) >= 4, "levels in the store")
    cluster.scheduler.kill()
    code, report, _ = running.ended()
    assert code == 1
    assert f"the scheduler at {cluster.address} is gone" in report["errors"][0]["message"]
    built = records(store)
    worker.kill()
    assert len(report["levels"]) <= built < LEVELS
    done = machine.export("--store", str(store))
    assert done.returncode == 0
    assert machine.outputs() == alone.outputs()


def test_a_scheduler_that_is_not_there_is_told(
    reference: tuple[Project, Project], tmp_path: Path
) -> None:
    machine = fresh_copy(reference[0], tmp_path / "machine")
    address = f"tcp://127.0.0.1:{free_port()}"
    code, report, _ = Running(machine, tmp_path / "store", address).ended()
    assert code == 1
    assert report["errors"][0]["message"].startswith(f"there is no Dask scheduler at {address} (")
    assert not machine.outputs()


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1:99999", "http://127.0.0.1:1"])
def test_an_address_that_is_none_is_told(
    reference: tuple[Project, Project], tmp_path: Path, address: str
) -> None:
    machine = fresh_copy(reference[0], tmp_path / "machine")
    code, report, _ = Running(machine, tmp_path / "store", address).ended()
    assert code == 1
    assert f"{address!r} is no address of a Dask scheduler" in report["errors"][0]["message"]


def test_a_worker_of_another_version_is_refused_with_both_versions(
    reference: tuple[Project, Project], cluster: DaskCluster, tmp_path: Path
) -> None:
    machine = fresh_copy(reference[0], tmp_path / "machine")
    other = tmp_path / "other"
    shutil.copytree(
        Path(exporter.__file__).parent,
        other / "exporter",
        ignore=shutil.ignore_patterns("__pycache__", "docs", "*.c"),
    )
    version = other / "exporter" / "_version.py"
    version.write_text(version.read_text().replace(__version__, "0.0.7"))
    cluster.worker({"PYTHONPATH": str(other)})
    code, report, _ = Running(machine, tmp_path / "store", cluster.address).ended()
    assert code == 1
    message = report["errors"][0]["message"]
    assert "has exporter 0.0.7 (code " in message
    assert f"and this is exporter {__version__} (code " in message
    assert not machine.outputs()
    assert records(tmp_path / "store") == 0


@pytest.mark.parametrize(
    ("count", "threads", "given"),
    [
        (2, 1, (b"a", b"end", b"b")),
        # Each worker is at both when it ends, so the scheduler blames both.
        (1, 2, (b"end late", b"slow")),
        (1, 2, (b"end late", b"slow", b"end late", b"a")),
    ],
)
def test_a_task_that_ends_every_worker_is_given_up_and_the_others_are_done(
    cluster: DaskCluster, count: int, threads: int, given: tuple[bytes, ...]
) -> None:
    from deadly_tasks import do_task
    from exporter.farm.cluster import Cluster, Done, Lost

    stop = threading.Event()

    def replace() -> None:
        """Be a supervisor: start a worker for each that ends."""
        workers = [cluster.worker(threads=threads) for _ in range(count)]
        while not stop.wait(0.1):
            workers = [one for one in workers if one.poll() is None]
            while len(workers) < count:
                workers.append(cluster.worker(threads=threads))

    thread = threading.Thread(target=replace)
    thread.start()
    found: list[Done | Lost] = []
    try:
        with Cluster(cluster.address, do_task, lambda _: None) as tasks:
            for task in given:
                tasks.submit(task)
            while tasks.pending:
                found += tasks.results()
            assert tasks.has_room
    finally:
        stop.set()
        thread.join()
    deadly = [task.startswith(b"end") for task in given]
    assert {one.task: type(one) for one in found} == {
        number: Lost if ends else Done for number, ends in enumerate(deadly)
    }
    answers = {one.answer for one in found if isinstance(one, Done)}
    assert answers == {task.upper() for task in given if not task.startswith(b"end")}


def test_a_cluster_without_workers_is_given_up_in_the_end(cluster: DaskCluster) -> None:
    from deadly_tasks import do_task
    from exporter.farm.cluster import Cluster
    from exporter.model.errors import FarmError

    told: list[str] = []
    with Cluster(cluster.address, do_task, told.append, worker_seconds=2.0) as tasks:
        tasks.submit(b"a")
        with pytest.raises(FarmError, match="has no workers; none came in 2 seconds"):
            list(tasks.results())
    assert len(told) == 1


def test_a_task_that_raises_is_a_fault_of_the_cluster(cluster: DaskCluster) -> None:
    from deadly_tasks import do_task
    from exporter.farm.cluster import Cluster
    from exporter.model.errors import FarmError

    cluster.worker()
    with Cluster(cluster.address, do_task, lambda _: None) as tasks:
        tasks.submit(b"raise")
        with pytest.raises(FarmError, match=r"cannot do the work \(ValueError: of a task\)"):
            list(tasks.results())


def test_without_distributed_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from exporter.farm.cluster import Cluster
    from exporter.model.errors import FarmError

    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(FarmError, match=r"pip install level-exporter\[cluster\]"):
        Cluster("tcp://127.0.0.1:1", bytes, lambda _: None)


def test_seeds_are_the_same_as_on_one_machine(cluster: DaskCluster, tmp_path: Path) -> None:
    project = Project(tmp_path / "game")
    spec = project.write("cave", size=24)
    cluster.worker()
    cluster.worker(threads=2)
    found = []
    for more in (["--jobs", "1"], ["--cluster", cluster.address]):
        done = subprocess.run(
            [
                sys.executable, "-m", "exporter", "seeds", str(spec), "--json", "--count", "5",
                "--budget", "200", "--where", "farthest > 20", *more,
            ],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=DEADLINE,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found.append(done.stdout)
    assert found[0] == found[1]
