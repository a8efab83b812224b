"""One cluster and one server of S3 for all tests of services; some tests need another cluster."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from daemon_harness import Project, fresh_copy
from dask_cluster import DaskCluster
from s3_server import s3_server

WORLD = """\
size: [400, 330]
chunk: 64
seed: 5
layers:
  caves: {generator: cellular_caves, connect: guaranteed}
  relief: {generator: heightmap}
visibility: {layer: caves, radius: 5}
"""
LEVELS = 8


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """Return a cluster of two workers, one of them with several threads."""
    pytest.importorskip("distributed")
    with DaskCluster(tmp_path_factory.mktemp("cluster")) as dask_cluster:
        dask_cluster.worker()
        dask_cluster.worker(threads=3)
        yield dask_cluster


@pytest.fixture(scope="session")
def s3() -> Iterator[dict[str, str]]:
    """Return the environment in which a server of S3 with an empty bucket is found."""
    pytest.importorskip("moto")
    pytest.importorskip("s3fs")
    with s3_server() as result:
        yield result


@pytest.fixture(scope="session")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Project]:
    """Return a project of a world, levels and a pack, and a copy exported by this machine alone."""
    folder = tmp_path_factory.mktemp("game")
    project = Project(folder / "game")
    project.spec("land").write_text(WORLD)
    for number in range(LEVELS):
        project.write(f"level{number}", seed=number)
    with project.spec("level0").open("a") as spec:
        spec.write("pack: {count: 3}\n")
    alone = fresh_copy(project, folder / "alone")
    assert alone.export().returncode == 0
    return project, alone
