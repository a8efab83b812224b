"""Fixtures of the real engines.

A test here that asks for `godot`, `tiled`, `mono`, `node`, `phaser`, `excalibur`,
`excalibur_ldtk`, `gltf_validator` or `lua` is skipped, with the reason, where that engine is not
installed, or without the part of it that the test needs (`.ci/install-engines` installs all of
them). With the environment variable LEVEL_EXPORTER_REQUIRE_ENGINES=1, as in CI, any skip in this
folder is a failure.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from engine_harness import (
    Godot,
    Lua,
    MissingAssemblyError,
    Mono,
    Node,
    Tiled,
    find_excalibur,
    find_excalibur_ldtk,
    find_gltf_validator,
    find_phaser,
)
from engine_harness.sample import Exported, export_sample
from engine_harness.unity_importer import UnityImporter
from required_engines import INSTALLS, refuse_skip

HERE = Path(__file__).parent
Engine = TypeVar("Engine", Godot, Tiled, Mono, Node, Lua, Path)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, so that `-m "not engine"` leaves them out."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.engine)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a half installed engine into a skip, and a skip into a failure where it is required."""
    report = yield
    if call.excinfo is not None and call.excinfo.errisinstance(MissingAssemblyError):
        report.outcome = "skipped"
        reason = f"Skipped: {call.excinfo.value}; {INSTALLS}"
        report.longrepr = (str(item.path), item.location[1] or 0, reason)
    refuse_skip(report)
    return report


@pytest.fixture(scope="session")
def engine_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder for the engines' settings and caches, so that no machine's own count."""
    return tmp_path_factory.mktemp("engine-home")


@pytest.fixture(scope="session")
def godot(engine_home: Path) -> Iterator[Godot]:
    """Real Godot 4, headless."""
    engine = installed(Godot.find(engine_home), "Godot 4 (command godot)")
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """The sample project after an export."""
    return export_sample(tmp_path_factory.mktemp("sample") / "sample_project")


@pytest.fixture(scope="session")
def sample_game(godot: Godot, sample: Exported) -> Path:
    """The sample's Godot project, imported twice without an error."""
    project = sample.folder / "godot"
    godot.import_project(project)
    godot.import_project(project)
    return project


@pytest.fixture(scope="session")
def tiled(engine_home: Path) -> Tiled:
    """Tiled's own map reader and painter."""
    return installed(Tiled.find(engine_home), "Tiled (command tmxrasterizer)")


@pytest.fixture(scope="session")
def mono(engine_home: Path) -> Mono:
    """Mono's C# compiler and runtime."""
    return installed(Mono.find(engine_home), "Mono (commands mcs and mono)")


@pytest.fixture(scope="session")
def importer(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> UnityImporter:
    """The importer of the package for Unity, under Mono."""
    return UnityImporter.compile(mono, tmp_path_factory.mktemp("importer"))


@pytest.fixture(scope="session")
def node(engine_home: Path) -> Node:
    """Node, for the reader that browsers use."""
    return installed(Node.find(engine_home), "Node (command node)")


@pytest.fixture(scope="session")
def lua(engine_home: Path) -> Lua:
    """LuaJIT, for maps in Lua."""
    return installed(Lua.find(engine_home), "LuaJIT (command luajit)")


@pytest.fixture(scope="session")
def phaser() -> Path:
    """Phaser's one file, which runs in Node."""
    return installed(find_phaser(), "Phaser")


@pytest.fixture(scope="session")
def excalibur() -> Path:
    """The folder of Excalibur's plugin for Tiled, which runs in Node."""
    return installed(find_excalibur(), "Excalibur's plugin for Tiled")


@pytest.fixture(scope="session")
def excalibur_ldtk() -> Path:
    """The folder of Excalibur's plugin for LDtk, which runs in Node."""
    return installed(find_excalibur_ldtk(), "Excalibur's plugin for LDtk")


@pytest.fixture(scope="session")
def gltf_validator() -> Path:
    """The folder of Khronos' validator of glTF, which runs in Node."""
    return installed(find_gltf_validator(), "Khronos' validator of glTF")


def installed(engine: Engine | None, what: str) -> Engine:
    """Return the engine, or skip the test that asks for it."""
    if engine is None:
        pytest.skip(f"{what} is not installed; {INSTALLS}")
    return engine
