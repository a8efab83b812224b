"""An engine that is installed in part is a skip with the reason, and a failure where required."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
WITHOUT_DATA = "error CS0006: Metadata file `System.Data' could not be found"
COMPILES = 'for option; do case "$option" in -out:*) touch "${option#-out:}";; esac; done'
NOT_LOADED = (
    "System.IO.FileNotFoundException: Could not load file or assembly 'System.Data, "
    "Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089' or one of its dependencies."
)


def run_engine_tests(folder: Path, compiler: str, runtime: str, required: str) -> tuple[int, str]:
    """Run the tests of tables with a Mono made of two scripts; return exit code and output."""
    for name, script in (("mcs", compiler), ("mono", runtime)):
        path = folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    path = os.pathsep.join([str(folder), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "LEVEL_EXPORTER_REQUIRE_ENGINES": required}
    tests = [str(HERE / "test_tables_mono.py"), "-k", "names or kind"]
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *tests],
        cwd=HERE.parents[1],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return finished.returncode, finished.stdout + finished.stderr


@pytest.mark.skipif(os.name == "nt", reason="the fake commands are shell scripts")
@pytest.mark.parametrize(
    ("compiler", "runtime"),
    [(f'echo "{WITHOUT_DATA}"; exit 1', "exit 1"), (COMPILES, f'echo "{NOT_LOADED}"; exit 1')],
    ids=["the compiler misses it", "the runtime misses it"],
)
def test_mono_without_an_assembly_is_a_skip_or_where_engines_are_required_a_failure(
    tmp_path: Path, compiler: str, runtime: str
) -> None:
    compiler = compiler.replace("`", "\\`")
    code, told = run_engine_tests(tmp_path, compiler, runtime, "")
    assert code == 0, told
    assert "Mono is installed without System.Data; .ci/install-engines installs it" in told
    assert re.search(r"\d+ skipped", told)
    assert not re.search(r"passed|failed|error", told.splitlines()[-1])
    code, told = run_engine_tests(tmp_path, compiler, runtime, "1")
    assert code == 1, told
    assert "engine tests must not be skipped here: Skipped: Mono is installed without" in told
    assert not re.search(r"\d+ skipped", told)


@pytest.mark.skipif(os.name == "nt", reason="the fake commands are shell scripts")
@pytest.mark.parametrize(
    "message",
    [
        "ReadTables.cs(3,5): error CS0103: The name 'x' does not exist in the current context",
        "error CS0006: Metadata file `LevelExporter.Runtime.dll' could not be found",
    ],
)
def test_a_fault_of_our_own_is_none_of_the_installation(tmp_path: Path, message: str) -> None:
    compiler = 'echo "{}"; exit 1'.format(message.replace("`", "\\`"))
    code, told = run_engine_tests(tmp_path, compiler, "exit 1", "")
    assert code == 1
    assert message in told
    assert not re.search(r"\d+ skipped", told)
