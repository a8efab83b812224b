"""An engine that is installed in part is a skip with the reason, and a failure where required."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine_harness import MissingAssemblyError, Mono, MonoError

HERE = Path(__file__).parent
WITHOUT_DATA = "error CS0006: Metadata file `System.Data' could not be found"
COMPILES = 'for option; do case "$option" in -out:*) touch "${option#-out:}";; esac; done'
NOT_LOADED = (
    "System.IO.FileNotFoundException: Could not load file or assembly 'System.Data, "
    "Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089' or one of its dependencies."
)


pytestmark = pytest.mark.skipif(os.name == "nt", reason="the fake commands are shell scripts")


def fake_mono(folder: Path, compiler: str, runtime: str = "exit 1") -> Mono:
    """Return a Mono made of two scripts."""
    for name, script in (("mcs", compiler), ("mono", runtime)):
        path = folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    return Mono(str(folder / "mcs"), str(folder / "mono"), folder / "home")


@pytest.mark.parametrize(
    ("compiler", "runtime"),
    [(f'echo "{WITHOUT_DATA}"; exit 1', "exit 1"), (COMPILES, f'echo "{NOT_LOADED}"; exit 1')],
    ids=["the compiler misses it", "the runtime misses it"],
)
def test_an_assembly_of_the_framework_that_is_missing_is_named(
    tmp_path: Path, compiler: str, runtime: str
) -> None:
    mono = fake_mono(tmp_path, compiler.replace("`", "\\`"), runtime)
    with pytest.raises(MissingAssemblyError, match=r"^Mono is installed without System\.Data$"):
        mono.run(mono.compile([], tmp_path / "program.exe"))


@pytest.mark.parametrize(
    "message",
    [
        "ReadTables.cs(3,5): error CS0103: The name 'x' does not exist in the current context",
        "error CS0006: Metadata file `LevelExporter.Runtime.dll' could not be found",
    ],
)
def test_a_fault_of_our_own_is_none_of_the_installation(tmp_path: Path, message: str) -> None:
    mono = fake_mono(tmp_path, f'echo "{message}"; exit 1'.replace("`", "\\`"))
    with pytest.raises(MonoError, match=re.escape(message)):
        mono.compile([], tmp_path / "program.exe")


def run_table_tests(folder: Path, required: str) -> tuple[int, str]:
    """Run tests of tables with the commands in a folder; return exit code and output."""
    path = os.pathsep.join([str(folder), os.environ["PATH"]])
    tests = [str(HERE / "test_tables_mono.py"), "-k", "names or kind"]
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *tests],
        cwd=HERE.parents[1],
        env={**os.environ, "PATH": path, "LEVEL_EXPORTER_REQUIRE_ENGINES": required},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return finished.returncode, finished.stdout + finished.stderr


def test_mono_without_an_assembly_is_a_skip_or_where_engines_are_required_a_failure(
    tmp_path: Path,
) -> None:
    fake_mono(tmp_path, f'echo "{WITHOUT_DATA}"; exit 1'.replace("`", "\\`"))
    code, reported = run_table_tests(tmp_path, "")
    assert code == 0, reported
    assert "Mono is installed without System.Data; .ci/install-engines installs it" in reported
    assert re.search(r"\d+ skipped", reported)
    assert not re.search(r"passed|failed|error", reported.splitlines()[-1])
    code, reported = run_table_tests(tmp_path, "1")
    assert code == 1, reported
    assert "engine tests must not be skipped here: Skipped: Mono is installed without" in reported
    assert not re.search(r"\d+ skipped", reported)
