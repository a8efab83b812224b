"""Worlds on clusters and in buckets: units are done by workers, and the bytes are the same."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from daemon_harness import DEADLINE, Project, environment, fresh_copy, wait_until
from dask_cluster import DaskCluster, Running, records
from s3_server import BUCKET, s3_server

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None or find_spec("moto") is None,
    reason="distributed or moto is not installed",
)
WORLD = """\
size: [400, 330]
chunk: 64
seed: 5
layers:
  caves: {generator: cellular_caves, connect: guaranteed}
  relief: {generator: heightmap}
visibility: {layer: caves, radius: 5}
"""
PARTS = 7 * 6
# Of the regions that are joined: a survey of every row of parts.
SURVEYS = 6


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Project]:
    """A project with a world and two levels, and a copy of it that one machine has exported."""
    folder = tmp_path_factory.mktemp("worlds")
    project = Project(folder / "game")
    project.spec("land").write_text(WORLD)
    project.write("level1", seed=1)
    project.write("level2", seed=2)
    alone = fresh_copy(project, folder / "alone")
    assert alone.export().returncode == 0
    return project, alone


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    with DaskCluster(tmp_path / "cluster") as made:
        yield made


def test_a_lost_worker_costs_its_units_and_the_bytes_are_those_of_one_machine(
    reference: tuple[Project, Project], cluster: DaskCluster, tmp_path: Path
) -> None:
    project, alone = reference
    machine = fresh_copy(project, tmp_path / "machine")
    doomed, _ = cluster.worker(), cluster.worker()
    store = tmp_path / "store"
    running = Running(machine, store, cluster.address)
    wait_until(lambda: records(store) >= SURVEYS + 6, "parts in the store")
    doomed.kill()
    code, report, _ = running.ended()
    assert code == 0
    assert {one["status"] for one in report["levels"]} == {"built"}
    assert machine.outputs() == alone.outputs()
    assert records(store) == PARTS + SURVEYS + 2
    machine.assert_true()


def test_parts_are_made_by_workers_alone_and_those_that_were_made_are_not_made_again(
    reference: tuple[Project, Project], cluster: DaskCluster, tmp_path: Path
) -> None:
    project, alone = reference
    machine = fresh_copy(project, tmp_path / "machine")
    store = tmp_path / "store"
    cluster.worker()
    running = Running(machine, store, cluster.address)
    wait_until(lambda: records(store) >= SURVEYS + 6, "parts in the store")
    cluster.scheduler.kill()
    code, report, _ = running.ended()
    assert code == 1
    assert f"the scheduler at {cluster.address} is gone" in report["errors"][0]["message"]
    made = records(store)
    assert made < PARTS + SURVEYS
    with DaskCluster(tmp_path / "other") as other:
        other.worker()
        code, report, _ = Running(machine, store, other.address).ended()
    assert code == 0, report
    assert machine.outputs() == alone.outputs()
    machine.assert_true()


def test_shards_of_a_world_fill_a_bucket_and_a_whole_run_takes_from_it(
    reference: tuple[Project, Project], tmp_path: Path
) -> None:
    project, alone = reference
    url = f"s3://{BUCKET}/worlds"
    with s3_server() as s3:

        def export(machine: Project, *arguments: str) -> None:
            command = [sys.executable, "-m", "exporter", "export", str(machine.root), "--json"]
            done = subprocess.run(
                [*command, "--store", url, *arguments],
                env={**environment(), **s3},
                capture_output=True,
                text=True,
                timeout=DEADLINE,
            )
            assert done.returncode == 0, done.stderr
            assert json.loads(done.stdout)["levels"]

        for number in (1, 2):
            export(fresh_copy(project, tmp_path / f"machine{number}"), "--shard", f"{number}/2")
        machine = fresh_copy(project, tmp_path / "machine")
        export(machine)
    assert machine.outputs() == alone.outputs()
