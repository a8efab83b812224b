"""`exporter check` of projects and of lone specs."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.project.checking import Checked, check_paths

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
    return [(one.file, one.level, len(one.problems)) for one in checked]


@pytest.mark.parametrize("path", [".", "exporter.yaml"])
def test_every_spec_of_a_project_is_checked(project: Path, path: str) -> None:
    assert summary(check_paths([Path(path)])) == [
        ("levels/cave.level.yaml", "cave", 0),
        ("levels/deep/hall.level.yaml", "throne", 0),
    ]


def test_projects_and_lone_specs_are_checked_in_their_order(project: Path) -> None:
    (project / "lone.level.yaml").write_text(CAVE + "sede: 1\n")
    checked = check_paths([Path("lone.level.yaml"), Path(), Path("levels/cave.level.yaml")])
    assert [one.level for one in checked] == ["lone", "cave", "throne", "cave"]
    assert [len(one.problems) for one in checked] == [1, 0, 0, 0]
    assert checked[0].problems[0].line == 4


def test_settings_that_are_wrong_are_told_alone(project: Path) -> None:
    (project / "exporter.yaml").write_text("targets: {tile: {path: a}}\nlevel: x\n")
    (checked,) = check_paths([project])
    assert (checked.file, checked.level) == ("exporter.yaml", "")
    assert [problem.line for problem in checked.problems] == [2]


def test_a_missing_project_or_spec_is_told(project: Path) -> None:
    (checked,) = check_paths([project / "levels"])
    assert (checked.file, checked.level) == ("levels/exporter.yaml", "")
    assert "cannot be read" in checked.problems[0].message
    (checked,) = check_paths([Path("gone.level.yaml")])
    assert (checked.file, checked.level) == ("gone.level.yaml", "gone")
    assert "cannot be read" in checked.problems[0].message


def test_two_levels_of_one_name_are_both_told_with_the_other_file(project: Path) -> None:
    (project / "levels" / "deep" / "Cave.level.yaml").write_text(CAVE + "sede: 1\n")
    checked = {one.file: one for one in check_paths([project])}
    first, second = "levels/cave.level.yaml", "levels/deep/Cave.level.yaml"
    assert [problem.message for problem in checked[first].problems] == [
        f"the level is called 'cave', as in {second}"
    ]
    assert [problem.message for problem in checked[second].problems] == [
        "unknown key 'sede' (did you mean 'seed'?)",
        f"the level is called 'Cave', as in {first}",
    ]
    assert not checked["levels/deep/hall.level.yaml"].problems
    assert checked[first].problems[0].file == first


def test_levels_of_different_projects_may_share_a_name(project: Path, tmp_path: Path) -> None:
    checked = check_paths([project, project])
    assert len(checked) == 4
    assert not any(one.problems for one in checked)
