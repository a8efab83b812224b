"""`exporter check` of projects and of lone specs."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.console.checks import report_checks
from exporter.export.checking import Checked, check_paths
from exporter.export.export import Settings, export_project
from silent_reporter import SilentReporter

SETTINGS = "targets:\n  tiled: {path: tiled}\n"
CAVE = "size: [9, 9]\nlayers:\n  ground: {generator: cellular_caves}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "exporter.yaml").write_text(SETTINGS)
    (tmp_path / "levels" / "deep").mkdir(parents=True)
    (tmp_path / "levels" / "cave.level.yaml").write_text(CAVE)
    (tmp_path / "levels" / "deep" / "hall.level.yaml").write_text("level: throne\n" + CAVE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def summary(checked: list[Checked]) -> list[tuple[str, str, int]]:
    return [(item.file, item.level, len(item.problems)) for item in checked]


@pytest.mark.parametrize("path", [".", "exporter.yaml"])
def test_every_spec_of_a_project_is_checked(project: Path, path: str) -> None:
    assert summary(check_paths([Path(path)])) == [
        ("levels/cave.level.yaml", "cave", 0),
        ("levels/deep/hall.level.yaml", "throne", 0),
    ]


def test_projects_and_lone_specs_are_checked_in_their_order(project: Path) -> None:
    (project / "lone.level.yaml").write_text(CAVE + "sede: 1\n")
    checked = check_paths([Path("lone.level.yaml"), Path(), Path("levels/cave.level.yaml")])
    assert [item.level for item in checked] == ["lone", "cave", "throne", "cave"]
    assert [len(item.problems) for item in checked] == [1, 0, 0, 0]
    assert checked[0].problems[0].line == 4


def test_settings_that_are_wrong_are_reported_alone(project: Path) -> None:
    (project / "exporter.yaml").write_text("targets: {tile: {path: a}}\nlevel: x\n")
    (checked,) = check_paths([project])
    assert (checked.file, checked.level) == ("exporter.yaml", "")
    assert [problem.line for problem in checked.problems] == [1, 2]


def test_a_missing_project_or_spec_is_reported(project: Path) -> None:
    (checked,) = check_paths([project / "levels"])
    assert (checked.file, checked.level) == ("levels/exporter.yaml", "")
    assert "cannot be read" in checked.problems[0].message
    (checked,) = check_paths([Path("gone.level.yaml")])
    assert (checked.file, checked.level) == ("gone.level.yaml", "gone")
    assert "cannot be read" in checked.problems[0].message


def test_two_levels_of_one_name_are_both_reported_with_the_other_file(project: Path) -> None:
    (project / "levels" / "deep" / "Cave.level.yaml").write_text(CAVE + "sede: 1\n")
    checked = {check_path.file: check_path for check_path in check_paths([project])}
    first, second = "levels/cave.level.yaml", "levels/deep/Cave.level.yaml"
    fix = "(write another `level` in one of the files, or rename it if it has none)"
    assert [problem.message for problem in checked[first].problems] == [
        f"the name 'cave' is also that of {second} {fix}"
    ]
    assert [problem.message for problem in checked[second].problems] == [
        "unknown key 'sede' (did you mean 'seed'?)",
        f"the name 'Cave' is also that of {first} {fix}",
    ]
    assert not checked["levels/deep/hall.level.yaml"].problems
    assert checked[first].problems[0].file == first


def test_levels_of_different_projects_may_share_a_name(project: Path, tmp_path: Path) -> None:
    checked = check_paths([project, project])
    assert len(checked) == 4
    assert not any(item.problems for item in checked)


# --- the messages of an export -------------------------------------------------------------------


def messages_of(*paths: Path) -> list[str]:
    """Return every problem as `line:column: message`."""
    return [
        f"{problem.line}:{problem.column}: {problem.message}"
        for checked in check_paths(list(paths))
        for problem in checked.problems
    ]


def exported(project: Path) -> list[str]:
    """Return every problem of an export, likewise."""
    results = export_project(project, Settings(jobs=1), SilentReporter())
    return [
        f"{problem.line}:{problem.column}: {problem.message}"
        for result in results
        for problem in result.problems
    ]


BROKEN = {
    "missing and outside files, all at once": (
        "size: [9, 9]\nlayers:\n  a: {generator: from_image, image: cavs.png}\n"
        "  b: {generator: from_image, image: ../../../secret.png}\n"
        "  c: {generator: heightmap, from_image: no.png}\ntileset: {image: gone.png}\n",
        [
            "3:37: 'cavs.png' cannot be read (no such file or directory; did you mean 'caves.png'",
            "4:37: '../../../secret.png' is outside the project",
            "5:41: 'no.png' cannot be read (no such file or directory)",
            "6:18: 'gone.png' cannot be read (no such file or directory)",
        ],
    ),
    "a picture that is none": (
        "size: [9, 9]\nlayers:\n  a: {generator: from_image, image: caves.png}\n",
        ["3:37: caves.png is not a picture that can be read (allowed: "],
    ),
    "tiles": (
        "size: [9, 9]\nlayers:\n  a: {generator: maze}\nobjects:\n  - {name: x, on_tile: lava}\n",
        ["5:24: unknown tile 'lava' (known: floor, wall)"],
    ),
    "sight": (
        "size: [9, 9]\nlayers:\n  a: {generator: heightmap}\nvisibility: {}\n",
        ["4:13: the level has no `play` layer for visibility (add tiles of its size"],
    ),
    "objects": (
        "size: [9, 9]\nlayers:\n  a: {generator: maze}\nobjects:\n"
        "  - {name: x, near: y}\n  - {name: x, far_from: [x, zz]}\n",
        [
            "5:21: unknown object 'y' (known: x)",
            "6:26: 'x' cannot refer to itself",
            "6:29: unknown object 'zz' (known: x)",
        ],
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_check_tells_what_an_export_tells(project: Path, what: str) -> None:
    text, said = BROKEN[what]
    (project / "levels" / "cave.level.yaml").write_text(text)
    (project / "levels" / "caves.png").write_bytes(b"no picture")
    result = messages_of(Path("levels/cave.level.yaml"))
    assert len(result) == len(said)
    for item, beginning in zip(result, said, strict=True):
        assert item.startswith(beginning)
    assert exported(project) == result
    assert messages_of(project) == result


def test_missing_files_are_reported_together_with_other_faults(project: Path) -> None:
    (project / "levels" / "cave.level.yaml").write_text(
        "size: [9, 9]\nsede: 1\nlayers:\n  a: {generator: from_image, image: no.png}\n"
        "  b: {generator: maze, braid_percent: 101}\n"
    )
    assert [item.split(": ")[0] for item in messages_of(Path("levels/cave.level.yaml"))] == [
        "2:1",
        "4:37",
        "5:39",
    ]


def test_what_a_target_leaves_out_is_a_warning(project: Path) -> None:
    settings = "targets:\n  tiled: {path: tiled, formats: [raw]}\n"
    (project / "exporter.yaml").write_text(settings)
    height = "size: [9, 9]\nlayers:\n  h: {generator: heightmap, size: [30, 30]}\n"
    (project / "levels" / "cave.level.yaml").write_text(height)
    (checked,) = check_paths([Path("levels/cave.level.yaml")])
    assert checked.problems == ()
    assert "30 x 30" in checked.warnings[0].message
    # A file that lies in no project has no targets.
    lone = project.parent / "lone.level.yaml"
    lone.write_text(height)
    (checked,) = check_paths([lone])
    assert checked.warnings == ()


def test_what_building_alone_can_know_is_reported_of_a_lone_spec(tmp_path: Path) -> None:
    lone = tmp_path / "lone.level.yaml"
    lone.write_text(CAVE + "objects:\n  - {name: a, region: 99}\n")
    (message,) = messages_of(lone)
    assert message.startswith("5:23: there is no region 99")
    lone.write_text(CAVE + "objects:\n  - {name: a, count: 60, required: false, spacing: 3}\n")
    (checked,) = check_paths([lone])
    assert checked.problems == ()
    assert [warning.line for warning in checked.warnings] == [5]


def test_the_sizes_of_files_are_checked_for_every_target(project: Path) -> None:
    spec = project / "levels" / "cave.level.yaml"
    spec.write_text(CAVE + "budget:\n  blob: 10\n  outputs: 1 kB\n")
    messages = messages_of(Path("levels/cave.level.yaml"))
    assert [message.split(" ")[0] for message in messages] == ["5:9:", "6:12:"]
    assert "the blob has " in messages[0]
    assert "(budget: 10 B)" in messages[0]
    assert "all files of the level have " in messages[1]
    assert exported(project) == messages
    spec.write_text(CAVE + "budget: {blob: 1 MB, outputs: 10 MB}\n")
    assert messages_of(Path("levels/cave.level.yaml")) == exported(project) == []


def test_a_budget_for_a_blob_that_nobody_writes_is_a_warning(project: Path) -> None:
    (project / "exporter.yaml").write_text("targets:\n  tiled: {path: tiled, blob: false}\n")
    spec = project / "levels" / "cave.level.yaml"
    spec.write_text(CAVE + "budget: {blob: 10}\n")
    (checked,) = check_paths([spec])
    assert checked.problems == ()
    assert [(warning.line, warning.message) for warning in checked.warnings] == [
        (
            4,
            "the blob's size is not checked, because no target writes one (leave out `blob`, or "
            "add "
            "`blob: true` to a target)",
        )
    ]


def test_a_lone_spec_has_a_blob_of_its_own(tmp_path: Path) -> None:
    lone = tmp_path / "lone.level.yaml"
    lone.write_text(CAVE + "budget: {blob: 10, outputs: 1}\n")
    (message,) = messages_of(lone)
    assert message.startswith("4:16: the blob has ")
    lone.write_text(CAVE + "budget: {blob: 1 MB}\n")
    (checked,) = check_paths([lone])
    assert checked.warnings == ()


def test_nothing_is_written(project: Path) -> None:
    before = sorted(project.rglob("*"))
    check_paths([project])
    assert sorted(project.rglob("*")) == before


def test_a_failure_of_the_exporter_itself_is_reported_with_where_it_was(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("odd")

    monkeypatch.setattr("exporter.build.build.Build.prepare", fail)
    (checked,) = check_paths([Path("levels/cave.level.yaml")])
    assert "the exporter itself failed (RuntimeError: odd)" in checked.problems[0].message
    assert report_checks([checked], as_json=False)
    assert "Traceback" in capsys.readouterr().err
