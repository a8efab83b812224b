"""Export reports the seed that a spec has searched for, also for unchanged levels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import exporter
from exporter.build import seed_search
from exporter.cli.main import main
from exporter.reading.level_spec import LevelSpec
from small_specs import CAVES

SEED = b'seed: {search: 20, where: "farthest >= 9", best: farthest}\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "home"))
    (tmp_path / "game" / "levels").mkdir(parents=True)
    (tmp_path / "game" / "exporter.yaml").write_text("targets: {tiled: {path: tiled}}\n")
    (tmp_path / "game" / "levels" / "caves.level.yaml").write_bytes(CAVES + SEED)
    (tmp_path / "game" / "levels" / "plain.level.yaml").write_bytes(CAVES)
    return tmp_path / "game"


def test_the_report_has_the_seed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = exporter.load_level(project / "levels" / "caves.level.yaml")
    seed = exporter.build_level(spec).seed
    for status in ("built", "unchanged"):
        assert main(["export", str(project), "--json"]) == 0
        caves, plain = json.loads(capsys.readouterr().out)["levels"]
        assert (caves["status"], caves["seed"]) == (status, seed)
        assert "seed" not in plain
    blob = exporter.read_blob((project / "tiled" / "caves.lvb").read_bytes())
    assert blob.seed == seed


def test_verbose_text_has_the_seed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(project), "--verbose"]) == 0
    spec = exporter.load_level(project / "levels" / "caves.level.yaml")
    assert f", seed {exporter.build_level(spec).seed}" in capsys.readouterr().out


def test_a_search_is_not_repeated_for_what_it_does_not_depend_on(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project / "levels" / "caves.level.yaml"
    assert main(["export", str(project), "--jobs", "1"]) == 0
    requested: list[LevelSpec] = []
    original = seed_search.Trials
    monkeypatch.setattr(
        seed_search, "Trials", lambda spec, *rest: requested.append(spec) or original(spec, *rest)
    )
    for addition in (b"# a remark\n", b"properties: {music: calm}\n"):
        path.write_bytes(path.read_bytes() + addition)
        assert main(["export", str(project), "--jobs", "1"]) == 0
        assert not requested
    path.write_bytes(path.read_bytes().replace(b"farthest >= 9", b"farthest >= 8"))
    assert main(["export", str(project), "--jobs", "1"]) == 0
    assert len(requested) == 1
    capsys.readouterr()


def test_a_search_without_a_result_fails_the_level_alone(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project / "levels" / "caves.level.yaml"
    path.write_bytes(CAVES + SEED.replace(b">= 9", b">= 999"))
    assert main(["export", str(project), "--json"]) == 1
    caves, plain = json.loads(capsys.readouterr().out)["levels"]
    assert plain["status"] == "built"
    (error,) = caves["errors"]
    assert (error["line"], error["column"]) == (4, 27)
    assert "none of 20 levels satisfies this" in error["message"]
