"""The page on farms: its matrix exports everything."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import yaml

import exporter
from command_line import run
from daemon_harness import Project, fresh_copy

PAGE = (Path(exporter.__file__).parent / "docs" / "how-to" / "farms.md").read_text(encoding="utf-8")


def lines_of(job: dict[str, Any], values: dict[str, str]) -> list[str]:
    """Return a job's exporter commands, with the values of the matrix."""
    result = []
    for step in job["steps"]:
        line = str(step.get("run", ""))
        for name, value in values.items():
            line = line.replace(f"${{{{ {name} }}}}", value)
        if line.startswith("exporter"):
            result.append(line)
    return result


def run_line(line: str, project: Project) -> None:
    """Run a line of the page in a project's folder."""
    program, *words = shlex.split(line)
    assert program == "exporter"
    done = run(*words, folder=project.root)
    assert done.returncode == 0, done.stderr


def test_matrix_of_the_page_exports_everything(tmp_path: Path) -> None:
    project = Project(tmp_path / "game", "targets:\n  tiled: {path: tiled}\n")
    for number in range(9):
        project.write(f"level{number}", seed=number)
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
        run_line(line, copy)
        # The effect of the artifacts, with `merge-multiple`.
        shutil.copytree(machine / "store", whole / "store", dirs_exist_ok=True)
    assert jobs["levels"]["needs"] == "shard"
    (line,) = lines_of(jobs["levels"], {"runner.temp": whole.as_posix()})
    records = sorted(whole.rglob("*"))
    run_line(line, project)
    assert project.outputs() == alone.outputs()
    assert sorted(whole.rglob("*")) == records  # nothing was built: nothing was added
