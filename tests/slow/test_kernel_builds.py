"""Building the kernels: side by side where there is a compiler, and never in an install's way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

pytest.importorskip("Cython")
pytest.importorskip("setuptools")

ROOT = Path(__file__).resolve().parents[2]
SHARED = "_cython_arrays"
# One that cimports the other: enough to build.
KERNELS = ("maze", "random_draws")
CIMPORT_OF_NOTHING = """
if cython.compiled:
    from cython.cimports.libc.nothing import nothing
"""

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
needs_shell = pytest.mark.skipif(sys.platform == "win32", reason="compilers are scripts here")


@pytest.fixture(scope="session")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project that has few kernels, once built without a compiler."""
    root = tmp_path_factory.mktemp("translated") / "project"
    package = root / "exporter"
    shutil.copytree(ROOT / "exporter" / "kernels", package / "kernels", ignore=_built)
    for kernel in (package / "kernels").glob("[!_]*.py"):
        if kernel.stem not in KERNELS:
            kernel.unlink()
    for file in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, root)
    shutil.copy(ROOT / "exporter" / "_version.py", package)
    (package / "__init__.py").touch()  # the kernels need nothing of the package's face
    assert build(root, compiler="false") == set()
    return root


@pytest.fixture
def project(translated: Path, tmp_path: Path) -> Path:
    """Return a copy of that project, with its C files."""
    return Path(shutil.copytree(translated, tmp_path / "project"))


def _built(_: str, names: list[str]) -> list[str]:
    return [name for name in names if name.endswith((".so", ".pyd")) or name == "__pycache__"]


def build(project: Path, *options: str, compiler: str | None = None) -> set[str]:
    """Build the kernels as an installation does and return the names of the built ones."""
    command = [sys.executable, "setup.py", "build_ext", "--build-lib", "lib", *options]
    environment = os.environ | ({"CC": compiler} if compiler else {})
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return compiled(project / "lib")


def compiled(folder: Path) -> set[str]:
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return {path.name.removesuffix(suffix) for path in folder.rglob(f"*{suffix}")}


def compiler_that_refuses(path: Path, source: str) -> str:
    """Write a compiler that fails for one source, and makes an empty file of every other."""
    path.write_text(
        f"""#!/bin/sh
case "$*" in *{source}*) exit 1;; esac
while [ $# -gt 0 ]; do
    if [ "$1" = -o ]; then : > "$2"; fi
    shift
done
"""
    )
    path.chmod(0o755)
    return str(path)


@needs_compiler
def test_all_kernels_are_built_and_what_they_share_once(project: Path) -> None:
    assert build(project) == {*KERNELS, SHARED}
    # The code for arrays alone would make each of them larger than this.
    sources = {path.stem: path.stat().st_size for path in (project / "build").rglob("*.c")}
    assert all(sources[kernel] < sources[SHARED] / 2 for kernel in KERNELS), sources
    for path in (project / "lib" / "exporter" / "kernels").iterdir():
        shutil.copy(path, project / "exporter" / "kernels")
    code = "import exporter.kernels.maze as m; assert m.COMPILED and m.__file__[-3:] != '.py'"
    subprocess.run([sys.executable, "-c", code], cwd=project, check=True)
    # Nothing is left among the sources that would be taken for one of them.
    assert not list((project / "exporter").rglob("*.c"))


def test_without_a_compiler_nothing_is_built_and_nothing_fails(translated: Path) -> None:
    assert compiled(translated) == set()
    assert {path.stem for path in translated.rglob("*.c")} == {*KERNELS, SHARED}


@needs_shell
def test_a_kernel_that_cannot_be_translated_leaves_the_others(
    project: Path, tmp_path: Path
) -> None:
    with (project / "exporter" / "kernels" / "maze.py").open("a") as file:
        file.write(CIMPORT_OF_NOTHING)
    compiler = compiler_that_refuses(tmp_path / "cc", "nothing.c")
    assert build(project, compiler=compiler) == {"random_draws", SHARED}


@needs_shell
def test_a_kernel_that_cannot_be_compiled_leaves_the_others(project: Path, tmp_path: Path) -> None:
    compiler = compiler_that_refuses(tmp_path / "cc", "maze.c")
    assert build(project, compiler=compiler) == {"random_draws", SHARED}


@needs_shell
def test_kernels_are_left_interpreted_when_what_they_share_cannot_be_compiled(
    project: Path, tmp_path: Path
) -> None:
    compiler = compiler_that_refuses(tmp_path / "cc", f"{SHARED}.c")
    assert build(project, compiler=compiler) == set()


@needs_shell
def test_a_kernel_that_no_longer_compiles_is_removed_from_an_editable_install(
    project: Path, tmp_path: Path
) -> None:
    kernels = project / "exporter" / "kernels"
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    stale = kernels / f"maze{suffix}"
    stale.write_bytes(b"built from an older maze.py")
    compiler = compiler_that_refuses(tmp_path / "cc", "maze.c")
    build(project, "--inplace", compiler=compiler)
    assert compiled(kernels) == {"random_draws", SHARED}
