"""Packages from outside: files with metadata on `sys.path`, as pip would install them."""

from __future__ import annotations

import importlib
import io
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from exporter.cli.main import main
from exporter.model.installed import _find
from exporter.project.reference.registered import registries
from exporter.store.code_identity import code_identity, portable_identity

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = CHECKOUT / "exporter" / "docs" / "how-to" / "extending.md"


@dataclass(frozen=True)
class Done:
    """The exit code and output of a command."""

    returncode: int
    stdout: str
    stderr: str


@dataclass
class Packages:
    """A folder like `site-packages`, a project beside it, and the exporter that sees both."""

    folder: Path
    project: Path

    def install(
        self,
        name: str,
        files: Mapping[str, str],
        entry_points: Mapping[str, Mapping[str, str]],
        version: str = "1.0",
    ) -> None:
        """Write a distribution: its files and its metadata."""
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        information = self.folder / f"{name.replace('-', '_')}-{version}.dist-info"
        information.mkdir(parents=True)
        (information / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        lines = []
        for group, points in entry_points.items():
            lines.append(f"[{group}]")
            lines += [f"{key} = {value}" for key, value in points.items()]
        (information / "entry_points.txt").write_text("\n".join(lines) + "\n")

    def write(self, path: str, text: str) -> None:
        """Write a file of the project."""
        file = self.project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    @contextmanager
    def active(self) -> Iterator[None]:
        """Let this process see the packages, in the project, and forget them afterwards."""
        modules = set(sys.modules)
        # A module may register several entries, so all of ours are there first.
        before = {name: set(registry.all()) for name, registry in registries().items()}
        for cached in (_find, code_identity, portable_identity):
            cached.cache_clear()
        importlib.invalidate_caches()
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.project)
            patch.setattr(sys, "dont_write_bytecode", True)  # edits within a second count
            patch.syspath_prepend(self.folder)
            for registry in registries().values():
                registry._findings.clear()
            try:
                yield
            finally:
                code_identity.cache_clear()
                portable_identity.cache_clear()
                for name, registry in registries().items():
                    registry._findings.clear()
                    for entry in registry._added.keys() - before[name]:
                        del registry._added[entry]
                for module in set(sys.modules) - modules:
                    if str(self.folder) in str(getattr(sys.modules[module], "__file__", "")):
                        del sys.modules[module]

    def run(self, *arguments: str) -> Done:
        """Run the exporter in this process, in the project."""
        out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
        with self.active(), redirect_stdout(out), redirect_stderr(err):
            try:
                code = main(arguments)
            except SystemExit as error:
                code = int(error.code or 0)
            out.flush()
        return Done(code, out.buffer.getvalue().decode(), err.getvalue())

    def python(self, code: str) -> str:
        """Run code in a new process, in the project; return its output."""
        path = os.pathsep.join([str(self.folder), str(CHECKOUT)])
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=self.project,
            env={**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": ""},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json(self, *arguments: str) -> Any:
        """Run the exporter and return its JSON output."""
        done = self.run(*arguments)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)


def blocks(language: str) -> list[str]:
    """Return the page's examples in a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)


def named(block: str) -> tuple[str, str]:
    """Return the path in the first line of an example, and the whole text."""
    result = re.match(r"# (\S+)\n", block)
    assert result, f"this example does not say its path: {block[:60]}"
    return result[1], block


def page_files() -> dict[str, str]:
    """Return the page's package."""
    return {"ruins_pack/__init__.py": "", **dict(map(named, blocks("python")))}


def page_entry_points() -> dict[str, dict[str, str]]:
    """Return the page's entry points, by group."""
    points: dict[str, dict[str, str]] = {}
    for block in blocks("toml"):
        for group, named_points in tomllib.loads(block)["project"]["entry-points"].items():
            points.setdefault(group, {}).update(named_points)
    return points


# A generator to break: its name and body are inserted.
GENERATOR = """
import numpy as np
from dataclasses import dataclass
from exporter.extend import CLEAR, Generated, ParameterError, Parameters, Request, Tile, generator

@dataclass(frozen=True, kw_only=True)
class Odd(Parameters):
    '''Something odd.'''

    count: int = 3

    def check(self, width, height):
        if self.count == 13:
            raise RuntimeError("unlucky")

@generator("NAME", version=1)
def generate(parameters: Odd, request: Request) -> Generated:
    BODY
"""
PLAIN = (
    "return Generated(np.zeros((request.height, request.width), np.uint8), "
    "(Tile(0, 'floor', True, False, CLEAR),))"
)
LEVEL = "size: [12, 9]\nlayers:\n  ground: {generator: NAME}\n"
CONFIG = "targets:\n  tiled: {path: tiled}\n"


def generator(name: str = "odd", body: str = PLAIN) -> str:
    return GENERATOR.replace("NAME", name).replace("BODY", body)


def generators(**modules: str) -> dict[str, dict[str, str]]:
    return {"exporter.generators": modules}


def level(packages: Packages, text: str) -> None:
    packages.write("exporter.yaml", CONFIG)
    packages.write("levels/one.level.yaml", text)


def problem(packages: Packages, command: str = "export") -> dict[str, Any]:
    """Return the one problem that a command reports, without a traceback."""
    done = packages.run(command, "--json")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    document = json.loads(done.stdout)
    errors = list(document.get("errors", ()))
    for item in document["levels"]:
        errors += item["errors"]
    (error,) = errors
    return dict(error)


def position_of(error: dict[str, Any]) -> str:
    """Return where a problem is, relative to the project."""
    file = error["file"].rpartition("/project/")[2]
    return f"{file}:{error['line']}:{error['column']}"
