"""Required contents of an installed exporter."""

import importlib
import runpy
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

import exporter
from cases import each_case
from exporter.model.installed import templates

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
KERNELS = sorted(
    path.stem
    for path in (ROOT / "exporter" / "kernels").glob("*.py")
    if not path.stem.startswith("_")
)


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The definitions of setup.py; it is not run."""
    pytest.importorskip("setuptools")
    monkeypatch.chdir(ROOT)
    return runpy.run_path("setup.py", run_name="described")


def test_every_package_is_shipped(build: dict[str, Any]) -> None:
    result = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in (ROOT / "exporter").rglob("__init__.py")
    }
    assert set(build["PACKAGES"]) == result | {"exporter.docs", "exporter.templates"}


def test_every_kernel_is_built_and_none_must_be(build: dict[str, Any]) -> None:
    assert sorted(path.stem for path in build["KERNELS"]) == KERNELS
    for path in build["KERNELS"]:
        extension = build["_extension"](f"exporter.kernels.{path.stem}", path.as_posix())
        assert extension.optional
        assert extension.sources == [path.as_posix()]


def test_kernels_compute_floating_point_alike_on_all_machines(build: dict[str, Any]) -> None:
    class Command:
        """A build command with one compiler or another."""

        def __init__(self, kind: str) -> None:
            self.compiler = type("Compiler", (), {"compiler_type": kind})

    flags = build["BuildKernels"]._flags
    for shared in (False, True):
        # Contracted multiplications and additions would differ between processors.
        assert "-ffp-contract=off" in flags(Command("unix"), shared)
        assert "/fp:strict" in flags(Command("msvc"), shared)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no compiler here")
@each_case("name", KERNELS)
def test_a_kernel_is_compiled_where_there_is_a_compiler(name: str) -> None:
    module = importlib.import_module(f"exporter.kernels.{name}")
    assert module.__file__ is not None
    assert not module.__file__.endswith(".py")


def test_cython_is_needed_to_build_only() -> None:
    assert any(need.startswith("cython") for need in PROJECT["build-system"]["requires"])
    assert not any("cython" in need for need in PROJECT["project"]["dependencies"])


def test_templates_are_detected_and_whole() -> None:
    folder = templates()
    assert (folder / "projects" / "starter" / "exporter.yaml").is_file()
    assert (folder / "godot" / "addons" / "level_exporter" / "plugin.cfg").is_file()
    assert (folder / "javascript" / "level-blob.js").is_file()
    assert list((folder / "levels").glob("*.level.yaml"))


def test_the_version_is_said_in_one_position() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert exporter.__version__.count(".") == 2
