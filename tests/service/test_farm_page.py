"""The page on farms: its cluster works as described."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

import exporter
from command_line import run
from daemon_harness import Project, fresh_copy
from dask_cluster import ended, started
from s3_server import free_port

PAGE = (Path(exporter.__file__).parent / "docs" / "how-to" / "farms.md").read_text(encoding="utf-8")


def test_cluster_of_the_page_exports_everything(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    project = Project(tmp_path / "game")
    for number in range(9):
        project.write(f"level{number}", seed=number)
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
        program, *words = shlex.split(export)
        assert program == "exporter"
        done = run(*words, folder=project.root)
        assert done.returncode == 0, done.stderr
    finally:
        for process in processes:
            ended(process)
    assert project.outputs() == alone.outputs()
