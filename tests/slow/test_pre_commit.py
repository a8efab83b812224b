"""The hooks that a team's repository names, run as pre-commit runs them."""

from __future__ import annotations

import importlib.util
import re
import shlex
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from team_repository import CHECKOUT, WRONG, Repository

HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook
    for hook in yaml.safe_load((CHECKOUT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}


def run_hook(repository: Repository, name: str, *arguments: str) -> tuple[int, str]:
    """Run a hook on all files of the repository, with pre-commit's arguments."""
    hook = HOOKS[name]
    files: list[str] = []
    if hook.get("pass_filenames", True):
        repository.git("add", "-A")
        listed = repository.git("ls-files", "-z").split("\0")
        files = [file for file in listed if file and re.search(hook.get("files", ""), file)]
        if not files and not hook.get("always_run"):
            return 0, "(no files to check)"
    program, *words = shlex.split(hook["entry"])
    assert program == "exporter"
    done = repository.run([sys.executable, "-m", "exporter", *words, *arguments, *files])
    return done.returncode, done.stdout + done.stderr


def test_every_hook_says_what_pre_commit_needs() -> None:
    assert set(HOOKS) == {"exporter-check", "exporter-export-check"}
    for hook in HOOKS.values():
        assert {"name", "description", "entry", "language"} <= set(hook)
        assert hook["language"] == "python"
        assert hook["require_serial"]


def test_the_check_hook_gets_specs_and_settings_only(repository: Repository) -> None:
    (repository.root / "notes.yaml").write_text("no: spec\n")
    code, reported = run_hook(repository, "exporter-check")
    assert (code, reported) == (0, "2 files: no problems\n")
    repository.project.spec("cave").write_text(WRONG)
    code, reported = run_hook(repository, "exporter-check")
    assert code == 1
    assert "my game/levels/cave.level.yaml:2:1: error: unknown key 'wrong'" in reported


def test_the_export_hook_fails_where_an_output_is_not_up_to_date(repository: Repository) -> None:
    code, reported = run_hook(repository, "exporter-export-check", "my game")
    assert code == 1
    assert "tiled/cave.tmj" in reported
    assert not (repository.project.root / "tiled").exists()
    repository.exporter("export", "my game")
    assert run_hook(repository, "exporter-export-check", "my game")[0] == 0
    repository.project.write("cave", seed=2)
    assert run_hook(repository, "exporter-export-check", "my game")[0] == 1


@pytest.mark.skipif(
    importlib.util.find_spec("pre_commit") is None, reason="pre-commit is not installed"
)
def test_pre_commit_itself_takes_the_hooks(repository: Repository, tmp_path: Path) -> None:
    """The hooks come from a local list, so that no environment is made for them."""
    hooks = [{**hook, "language": "system"} for hook in HOOKS.values()]
    for hook in hooks:
        if not hook.get("pass_filenames", True):
            hook["args"] = ["my game"]
    settings = {"repos": [{"repo": "local", "hooks": hooks}]}
    (repository.root / ".pre-commit-config.yaml").write_text(yaml.safe_dump(settings))
    program = tmp_path / "bin" / "exporter"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m exporter "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    path = f"{program.parent}:/usr/local/bin:/usr/bin:/bin"

    def commit(message: str) -> tuple[int, str]:
        repository.git("add", "-A")
        command = [sys.executable, "-m", "pre_commit", "run", "--verbose"]
        done = repository.run(command, PATH=path, PRE_COMMIT_HOME=str(tmp_path / "home"))
        if done.returncode == 0:
            repository.git("commit", "-qm", message)
        return done.returncode, done.stdout

    code, reported = commit("without outputs")
    assert code == 1
    assert "check level specs" in reported
    assert "2 files: no problems" in reported
    assert "tiled/cave.tmj" in reported
    repository.exporter("export", "my game")
    code, reported = commit("with outputs")
    assert code == 0, reported
    repository.project.spec("cave").write_text(WRONG)
    code, reported = commit("with a mistake")
    assert code == 1
    assert reported.count("cave.level.yaml:2:1: error: unknown key 'wrong'") == 2
