"""`exporter diff` of two specs of a project: how the exported files would differ."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from exporter.build.build import Build
from exporter.cli.main import main
from exporter.export.compared_outputs import compared_outputs
from exporter.model.errors import ExporterError
from exporter.project.settings_file import load_project
from exporter.reading.reader import parse_level

CAVE = """size: [20, 12]
seed: 4
layers:
  ground: {generator: cellular_caves}
objects: [{name: start}]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    targets = "targets:\n  tiled: {path: tiled}\n  godot: {path: godot}\n"
    (tmp_path / "exporter.yaml").write_text(f"levels: '*.level.yaml'\n{targets}")
    (tmp_path / "a.level.yaml").write_text(CAVE)
    return tmp_path


def outputs(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["diff", *arguments, "--json"]) in (0, 1)
    return json.loads(capsys.readouterr().out).get("outputs")


def exported(project: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[int, str]]:
    assert main(["export", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (level,) = (item for item in document["levels"] if item["level"] == "a")
    for item in level["outputs"]:
        content = (project / item["path"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == item["sha256"]
    return {item["path"]: (item["bytes"], item["sha256"]) for item in level["outputs"]}


def test_they_are_what_two_exports_really_write(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    was = exported(project, capsys)
    output = outputs(capsys, "a.level.yaml", "a.level.yaml@9")
    (project / "a.level.yaml").write_text(CAVE.replace("seed: 4", "seed: 9"))
    now = exported(project, capsys)
    differ = {path for path in was.keys() | now.keys() if was.get(path) != now.get(path)}
    assert {item["path"] for item in output["changed"]} == differ
    assert output["same"] == len(was.keys() | now.keys()) - len(differ)
    for side, files in (("was", was), ("now", now)):
        total = sum(size for size, _ in files.values())
        assert output[side] == {"files": len(files), "bytes": total}
    for item in output["changed"]:
        assert item["was"] == was[item["path"]][0]
        assert item["now"] == now[item["path"]][0]


def test_nothing_is_written(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs(capsys, "a.level.yaml", "a.level.yaml@9")
    assert sorted(path.name for path in project.iterdir()) == ["a.level.yaml", "exporter.yaml"]


def test_the_lines_count_them(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = outputs(capsys, "a.level.yaml", "a.level.yaml@9")
    assert main(["diff", "a.level.yaml", "a.level.yaml@9", "--all"]) == 1
    lines = capsys.readouterr().out.splitlines()
    at = next(position for position, line in enumerate(lines) if line.startswith("outputs: "))
    assert lines[at].startswith(f"outputs: {len(output['changed'])} differ (")
    assert len(lines[at + 1 :]) == len(output["changed"])
    assert main(["diff", "a.level.yaml", "a.level.yaml@4"]) == 0
    assert "outputs" not in capsys.readouterr().out


def test_a_renamed_file_is_the_same_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "b.level.yaml").write_text(CAVE)
    output = outputs(capsys, "a.level.yaml", "b.level.yaml")
    assert output["changed"] == []
    assert output["same"] > 3


def test_without_a_common_project_with_targets_nothing_is_said(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = project / "other"
    other.mkdir()
    (other / "exporter.yaml").write_text("targets:\n  tiled: {path: tiled}\n")
    (other / "b.level.yaml").write_text(CAVE)
    assert outputs(capsys, "a.level.yaml", "other/b.level.yaml@9") is None
    (project / "exporter.yaml").unlink()
    assert outputs(capsys, "a.level.yaml", "a.level.yaml@9") is None


def test_faults_of_the_project_are_reported_and_the_levels_still_compared(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "exporter.yaml").write_text("targets: {tiled: {pth: tiled}}\n")
    output = outputs(capsys, "a.level.yaml", "a.level.yaml@9")
    assert output["problem"].startswith("exporter.yaml:1:")
    assert main(["diff", "a.level.yaml", "a.level.yaml@9"]) == 1
    assert "outputs: not compared (exporter.yaml:1:" in capsys.readouterr().out


def test_what_takes_too_long_is_given_up(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter(range(0, 1000, 50))
    monkeypatch.setattr("exporter.export.compared_outputs.time.perf_counter", lambda: next(seconds))
    output = outputs(capsys, "a.level.yaml", "a.level.yaml@9", "--max-seconds", "90")
    assert "limit of 90 seconds was reached before the files of godot" in output["problem"]


def test_files_of_worlds_are_not_compared(project: Path) -> None:
    world = CAVE.replace("size: [20, 12]\n", "size: [128, 128]\nchunk: 64\n")
    world = world.replace("cellular_caves", "heightmap").partition("objects")[0]
    spec = parse_level(world.encode(), "w.level.yaml")
    build = Build(spec, project)
    with pytest.raises(ExporterError, match="a world cannot be compared"):
        compared_outputs(load_project(project), build, build, 60)
