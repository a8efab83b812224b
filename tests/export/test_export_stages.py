"""Stages are run when something they depend on changed, and only then."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon_harness import Project, expected_outputs, level_text
from exporter.build.results import decode_layer, encode_layer
from exporter.export.events import LevelResult
from exporter.export.export import export_project
from exporter.export.level_builder import LevelBuilder, build_files
from exporter.export.settings import Settings
from exporter.export.tasks import Task
from exporter.generators import GENERATORS
from exporter.model.errors import SpecError
from exporter.project.settings_file import load_project
from exporter.store.cache import Cache
from exporter.store.code_identity import code_identity
from silent_reporter import SilentReporter

TWO_LAYERS = """size: [16, 16]
seed: {seed}
layers:
  ground: {{generator: cellular_caves, rounds: {rounds}}}
  relief: {{generator: heightmap, octaves: {octaves}{more}}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


@pytest.fixture
def runs() -> Iterator[Counter[str]]:
    """Count how often each generator and target runs."""
    counted: Counter[str] = Counter()

    def count(name: str, entry: Any, attribute: str) -> None:
        real = getattr(entry, attribute)

        def call(*arguments: Any, **options: Any) -> Any:
            counted[name] += 1
            return real(*arguments, **options)

        object.__setattr__(entry, attribute, call)
        undo.append((entry, attribute, real))

    from exporter.targets import TARGETS

    undo: list[tuple[Any, str, Any]] = []
    for name in ("cellular_caves", "heightmap"):
        count(name, GENERATORS.get(name), "generate")
    for name in ("godot", "tiled"):
        count(name, TARGETS.get(name), "artifacts")
    yield counted
    for entry, attribute, real in undo:
        object.__setattr__(entry, attribute, real)


def _export(project: Project, **settings: Any) -> list[LevelResult]:
    results = export_project(project.root, Settings(jobs=1, **settings), SilentReporter())
    assert not [result.problems for result in results if result.problems]
    return results


def _write(
    project: Project, *, seed: int = 1, rounds: int = 3, octaves: int = 3, more: str = ""
) -> None:
    text = TWO_LAYERS.format(seed=seed, rounds=rounds, octaves=octaves, more=more)
    project.spec("cave").write_text(text)


def test_a_changed_layer_runs_alone(project: Project, runs: Counter[str]) -> None:
    _write(project)
    _export(project)
    assert runs == {"cellular_caves": 1, "heightmap": 1, "godot": 1, "tiled": 1}
    _write(project, octaves=4)
    _export(project)
    assert runs == {"cellular_caves": 1, "heightmap": 2, "godot": 2, "tiled": 2}


def test_going_back_runs_nothing(project: Project, runs: Counter[str]) -> None:
    _write(project)
    _export(project)
    first = project.outputs()
    _write(project, rounds=2, octaves=4)
    _export(project)
    assert project.outputs() != first
    before = dict(runs)
    _write(project)
    _export(project)
    assert runs == before
    assert project.outputs() == first


def test_a_layer_that_is_used_by_another_runs_it_again(
    project: Project, runs: Counter[str]
) -> None:
    used = ", from_layer: ground"
    _write(project, more=used)
    _export(project)
    _write(project, more=used, rounds=1)
    _export(project)
    assert runs["heightmap"] == 2


def test_one_targets_option_runs_that_target_and_rewrites_its_file_only(
    project: Project, runs: Counter[str]
) -> None:
    _write(project)
    _export(project)
    settings = project.root / "exporter.yaml"
    settings.write_text(
        settings.read_text().replace("{path: tiled}", "{path: tiled, block_size: 2}")
    )
    (result,) = _export(project)
    assert result.written == ("tiled/cave.ground.png",)
    assert result.causes == ("exporter.yaml",)
    assert runs == {"cellular_caves": 1, "heightmap": 1, "godot": 1, "tiled": 2}


def test_a_new_version_of_a_generator_runs_it_again(project: Project, runs: Counter[str]) -> None:
    _write(project)
    _export(project)
    entry = GENERATORS.get("heightmap")
    object.__setattr__(entry, "version", entry.version + 1)
    try:
        project.spec("cave").write_text(project.spec("cave").read_text() + "# changed\n")
        _export(project)
    finally:
        object.__setattr__(entry, "version", entry.version - 1)
    assert runs["heightmap"] == 2
    assert runs["cellular_caves"] == 1


def test_force_takes_nothing_from_the_cache(project: Project, runs: Counter[str]) -> None:
    _write(project)
    _export(project)
    _export(project, force=True)
    assert runs == {"cellular_caves": 2, "heightmap": 2, "godot": 2, "tiled": 2}


def test_a_damaged_cache_changes_nothing(project: Project) -> None:
    _write(project)
    _export(project)
    expected = project.outputs()
    files = [path for path in (project.root / ".exporter/cache").rglob("*") if path.is_file()]
    for number, path in enumerate(files):
        data = path.read_bytes()
        path.write_bytes([b"", data[:-1], data[:40], b"\0" * len(data)][number % 4])
    for path in expected:
        (project.root / path).unlink()
    _export(project)
    assert project.outputs() == expected


def test_a_content_the_cache_lost_is_created_again(project: Project) -> None:
    _write(project)
    _export(project)
    expected = project.outputs()
    cache = Cache(project.root / ".exporter")
    _write(project, seed=2)
    _export(project)
    # The cache knows the files of the first level, but not their content any more.
    for path in cache.folder.rglob("*"):
        if path.is_file() and path.stat().st_size > 150 and b"png" not in path.read_bytes():
            path.unlink()
    _write(project)
    _export(project)
    assert project.outputs() == expected


def test_the_cache_keeps_its_bound_and_forgets_the_oldest(tmp_path: Path) -> None:
    cache = Cache(tmp_path, maximum=100_000)
    keys = [f"{number:064x}" for number in range(20)]
    for number, key in enumerate(keys):
        cache.save(key, bytes(10_000))
        os.utime(cache.folder / key[:2] / key[2:], (number, number))
        cache.grown(10_000)
    remaining = [key for key in keys if cache.load(key) is not None]
    assert keys[-1] in remaining
    assert remaining == keys[-len(remaining) :]
    total = sum(path.stat().st_size for path in cache.folder.rglob("*") if path.is_file())
    assert total <= 100_000 + 10_100


def test_every_generators_layer_comes_back_from_bytes(tmp_path: Path) -> None:
    import numpy as np

    from exporter.build.build import build_level
    from exporter.reading.reader import parse_level

    for name, entry in GENERATORS.all().items():
        text = f"size: [24, 24]\nlayers: {{one: {{generator: {name}}}}}\n"
        if entry.stage == "derived":
            continue
        try:
            layer = build_level(parse_level(text.encode(), "x")).layers["one"]
        except SpecError:  # needs parameters of its own
            continue
        data = encode_layer(layer)
        assert data is not None, name
        back = decode_layer(data)
        for attribute in layer.__slots__:
            item, other = getattr(layer, attribute), getattr(back, attribute)
            if isinstance(item, np.ndarray):
                assert item.dtype == other.dtype
                assert np.array_equal(item, other)
            else:
                assert item == other, (name, attribute)


def test_what_comes_from_the_cache_equals_what_was_built(project: Project) -> None:
    _write(project)
    loaded = load_project(project.root)
    (project.root / ".exporter").mkdir()
    content = project.spec("cave").read_bytes()
    task = Task(loaded, "levels/cave.level.yaml", content, "key", code_identity())
    first = build_files(task)
    again = LevelBuilder(task).run()
    assert [file.sha256 for file in first.files] == [file.sha256 for file in again.files]
    assert all(file.data is None for file in again.files)
    assert (first.layers, first.inputs, first.warnings) == (
        again.layers,
        again.inputs,
        again.warnings,
    )


def test_any_number_of_jobs_gives_the_same_files(project: Project) -> None:
    for number in range(4):
        project.write(f"cave{number}", seed=number)
    result = project.export("--jobs", "3")
    assert result.returncode == 0, result.stderr
    for number in range(4):
        expected = expected_outputs(f"cave{number}", level_text(number))
        assert {p: d for p, d in project.outputs().items() if f"cave{number}." in p} == expected
    project.assert_true()


def test_a_dry_run_writes_nothing_at_all(project: Project) -> None:
    _write(project)
    (result,) = _export(project, dry_run=True)
    assert result.status == "built"
    assert result.outputs
    assert sorted(path.name for path in project.root.iterdir()) == ["exporter.yaml", "levels"]
