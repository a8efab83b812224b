"""The page on farms: its matrix and its cluster do what it says."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

import exporter
from daemon_harness import DEADLINE, Project, environment, fresh_copy
from dask_cluster import ended, started
from s3_server import free_port

PAGE = (Path(exporter.__file__).parent / "docs" / "farms.md").read_text(encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path / "game")
    for number in range(9):
        project.write(f"level{number}", seed=number)
    return project


def run(line: str, project: Project) -> None:
    """Run a line of the page that calls the exporter, in a project's folder."""
    words = shlex.split(line)
    assert words[0] == "exporter"
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=project.root,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    assert done.returncode == 0, done.stderr


def lines_of(job: dict[str, Any], values: dict[str, str]) -> list[str]:
    """Return what a job runs of the exporter, with the values of the matrix."""
    found = []
    for step in job["steps"]:
        line = str(step.get("run", ""))
        for name, value in values.items():
            line = line.replace(f"${{{{ {name} }}}}", value)
        if line.startswith("exporter"):
            found.append(line)
    return found


def test_the_matrix_of_the_page_exports_everything(project: Project, tmp_path: Path) -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.S)
    jobs = yaml.safe_load(text)["jobs"]
    alone = fresh_copy(project, tmp_path / "alone")
    assert alone.export().returncode == 0
    whole = tmp_path / "whole"
    for shard in jobs["shard"]["strategy"]["matrix"]["shard"]:
        machine = tmp_path / f"machine{shard}"
        machine.mkdir()
        copy = fresh_copy(project, machine / "game")
        values = {"matrix.shard": str(shard), "runner.temp": machine.as_posix()}
        (line,) = lines_of(jobs["shard"], values)
        run(line, copy)
        # What the artifacts do, with `merge-multiple`.
        shutil.copytree(machine / "store", whole / "store", dirs_exist_ok=True)
    assert jobs["levels"]["needs"] == "shard"
    (line,) = lines_of(jobs["levels"], {"runner.temp": whole.as_posix()})
    records = sorted(whole.rglob("*"))
    run(line, project)
    assert project.outputs() == alone.outputs()
    assert sorted(whole.rglob("*")) == records  # nothing was built: nothing was added


@pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")
def test_the_cluster_of_the_page_exports_everything(project: Project, tmp_path: Path) -> None:
    (text,) = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
    text = text.replace("192.168.1.5", "127.0.0.1").replace("8786", str(free_port()))
    text = text.replace("/mnt/", f"{tmp_path.as_posix()}/").replace("--nworkers 8", "--nworkers 2")
    install, scheduler, worker, export = text.splitlines()
    assert install == 'pip install "level-exporter[cluster]"'
    alone = fresh_copy(project, tmp_path / "alone")
    assert alone.export().returncode == 0
    processes = []
    try:
        for line in (scheduler, worker):
            words = shlex.split(line)
            assert words[0] == "dask"
            more = ["--no-dashboard"]
            if words[1] == "worker":
                more += ["--local-directory", str(tmp_path)]
            processes.append(started([sys.executable, "-m", *words, *more], tmp_path))
        run(export, project)
    finally:
        for process in processes:
            ended(process)
    assert project.outputs() == alone.outputs()
