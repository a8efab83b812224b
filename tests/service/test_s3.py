"""A store in a bucket of S3, served by a real process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from daemon_harness import DEADLINE, Project, environment, fresh_copy
from s3_server import BUCKET, free_port, s3_server

pytestmark = pytest.mark.skipif(
    find_spec("moto") is None or find_spec("s3fs") is None, reason="s3fs or moto is not installed"
)
# Writes over every object below a URL.
DAMAGE = """
import sys, fsspec
files, root = fsspec.core.url_to_fs(sys.argv[1])
found = files.find(root)
for path in found:
    files.pipe_file(path, b"damaged")
print(len(found))
"""
URL = f"s3://{BUCKET}/games/one"


@pytest.fixture(scope="module")
def s3() -> Iterator[dict[str, str]]:
    with s3_server() as found:
        yield found


def export(
    project: Project, s3: dict[str, str], *arguments: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "exporter", "export", str(project.root), "--json", *arguments],
        env={**environment(), **s3},
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )


def test_shards_fill_a_bucket_and_a_whole_run_takes_from_it(
    s3: dict[str, str], tmp_path: Path
) -> None:
    project = Project(tmp_path / "game")
    for number in range(8):
        project.write(f"level{number}", seed=number)
    alone = fresh_copy(project, tmp_path / "alone")
    assert export(alone, {}).returncode == 0
    for number in (1, 2):
        machine = fresh_copy(project, tmp_path / f"machine{number}")
        done = export(machine, s3, "--store", URL, "--shard", f"{number}/2")
        assert done.returncode == 0, done.stderr
    done = export(project, s3, "--store", URL)
    assert done.returncode == 0, done.stderr
    levels = json.loads(done.stdout)["levels"]
    assert len(levels) == 8
    # Taken, not built: that takes no time that is counted.
    assert [one["seconds"] for one in levels] == [0.0] * 8
    assert project.outputs() == alone.outputs()


def test_damaged_objects_are_told_and_mended(s3: dict[str, str], tmp_path: Path) -> None:
    project = Project(tmp_path / "game")
    project.write("cave", seed=77)
    url = f"s3://{BUCKET}/damaged"
    assert export(project, s3, "--store", url).returncode == 0
    damage = subprocess.run(
        [sys.executable, "-c", DAMAGE, f"{url}/contents"],
        env={**os.environ, **s3},
        capture_output=True,
        text=True,
    )
    assert int(damage.stdout) > 3, damage.stderr
    again = fresh_copy(project, tmp_path / "again")
    done = export(again, s3, "--store", url)
    assert done.returncode == 0, done.stderr
    assert "is not what its name says" in json.loads(done.stdout)["remarks"][0]
    assert again.outputs() == project.outputs()
    third = fresh_copy(project, tmp_path / "third")
    done = export(third, s3, "--store", url)
    assert "remarks" not in json.loads(done.stdout)
    assert json.loads(done.stdout)["levels"][0]["seconds"] == 0.0
    assert third.outputs() == project.outputs()


def test_a_bucket_that_is_not_there_is_told(s3: dict[str, str], tmp_path: Path) -> None:
    project = Project(tmp_path / "game")
    project.write("cave")
    done = export(project, s3, "--store", "s3://nosuchbucket/store")
    assert done.returncode == 1
    (error,) = json.loads(done.stdout)["errors"]
    assert "s3://nosuchbucket/store: " in error["message"]
    assert "Traceback" not in done.stderr


def test_a_server_that_is_not_there_is_told(s3: dict[str, str], tmp_path: Path) -> None:
    project = Project(tmp_path / "game")
    project.write("cave")
    away = {**s3, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}", "AWS_MAX_ATTEMPTS": "1"}
    done = export(project, away, "--store", URL)
    assert done.returncode == 1
    (error,) = json.loads(done.stdout)["errors"]
    assert URL in error["message"]
    assert "connect" in error["message"].lower()
    assert "Traceback" not in done.stderr
    assert not os.path.exists(project.root / "tiled" / "cave.tmj")
