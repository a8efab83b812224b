"""Incomplete levels, unmatched files and undone mistakes, reported by every command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exporter.cli.main import main
from exporter.model.exit_codes import ExitCode
from status_files import read_levels

SETTINGS = "targets:\n  tiled: {path: t, blob: false, bitmaps: false}\n"
WHOLE = "size: [9, 9]\nlayers:\n  ground: {generator: maze}\n"
SHORT = (
    "size: [20, 20]\nseed: 3\nlayers:\n  ground: {generator: drunkard, floor_percent: 95, "
    "steps_per_cell: 1}\nobjects:\n  - {name: chest, count: 500, required: false}\n"
)
DUG = (
    "layer 'ground': 123 of 380 cells are dug (raise `steps_per_cell`, or lower `floor_percent` "
    "or `border`)"
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "exporter.yaml").write_text(SETTINGS)
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "short.level.yaml").write_text(SHORT)
    (tmp_path / "levels" / "whole.level.yaml").write_text(WHOLE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def level(document: dict[str, Any], name: str) -> dict[str, Any]:
    (result,) = [item for item in document["levels"] if item["level"] == name]
    assert isinstance(result, dict)
    return result


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def chest_warning(placed: int) -> str:
    return (
        f"{placed} of 500 'chest' could be placed (lower `count` or its demands; `required: true` "
        "makes this an error)"
    )


def test_an_incomplete_level_is_built_and_reported_with_the_same_words_everywhere(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "export", "--json", "--jobs", "1")
    assert code == ExitCode.DONE
    short, whole = (level(json.loads(out), name) for name in ("short", "whole"))
    assert (short["status"], short["complete"]) == ("built", False)
    assert (whole["status"], whole["complete"], whole["warnings"]) == ("built", True, [])
    counts = short["objects"]["chest"]
    assert counts["asked"] == 500
    assert 0 < counts["placed"] < 500
    words = [DUG, chest_warning(counts["placed"])]
    assert short["warnings"] == words
    assert err == ""

    # A second run has nothing to build, and reports the same.
    _, out, _ = run(capsys, "export", "--json", "--jobs", "1")
    again = level(json.loads(out), "short")
    assert (again["status"], again["complete"]) == ("unchanged", False)
    assert again["warnings"] == words
    assert again["objects"] == short["objects"]

    status = {"levels": read_levels(project)}
    assert level(status, "short")["warnings"] == words
    assert level(status, "short")["complete"] is False
    assert level(status, "whole")["complete"] is True

    code, out, _ = run(capsys, "check", "--json")
    assert code == ExitCode.DONE
    checked = level(json.loads(out), "short")
    assert (checked["warnings"], checked["complete"]) == (words, False)
    assert level(json.loads(out), "whole")["complete"] is True

    for command in (
        ["export", "--force", "--jobs", "1"],
        ["check"],
        ["preview", "levels/short.level.yaml", "-o", "p.png"],
    ):
        code, out, err = run(capsys, *command)
        assert code == ExitCode.DONE
        file = "levels/short.level.yaml"
        assert f"{file}:4:3: warning: {DUG}\n    4 |   ground: {{gen" in err
        assert f"{file}:6:5: warning: {words[1]}\n" in err
        if command[0] == "export":
            assert "2 levels: 2 built, 1 incomplete" in out


def test_an_incomplete_level_fails_where_it_is_required_to_be_complete(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = project / "levels" / "short.level.yaml"
    spec.write_text(SHORT + "require: {complete: true}\n")
    for command in (["export", "--jobs", "1"], ["check"]):
        code, _, err = run(capsys, *command)
        assert code == ExitCode.FAILED
        assert "short.level.yaml:7:21: error: layer 'ground': not everything" in err


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("levels/cave.yaml", "(rename it to cave.level.yaml?)"),
        ("levels/cave.level.yml", "(rename it to cave.level.yaml?)"),
        ("levels/cave.level.json", "(rename it to cave.level.yaml?)"),
        ("levels/deep/cave.LEVEL.yaml", "(rename it to cave.level.yaml?)"),
    ],
)
def test_a_file_that_was_probably_meant_is_reported_with_the_pattern(
    project: Path, capsys: pytest.CaptureFixture[str], file: str, said: str
) -> None:
    path = project / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(WHOLE)
    message = (
        f"{file}:1:1: warning: this is not exported: `levels: levels/**/*.level.yaml` does not "
        f"match {said}"
    )
    for command in (["export", "--jobs", "1"], ["check"]):
        code, _, err = run(capsys, *command)
        assert code == ExitCode.DONE
        assert message in err
    _, out, _ = run(capsys, "check", "--json")
    assert json.loads(out)["warnings"] == [message.replace(":1:1: warning", "")]


def test_a_folder_called_like_a_spec_is_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "levels" / "hall.level.yaml").mkdir()
    for command in (["export", "--jobs", "1"], ["check"]):
        code, _, err = run(capsys, *command)
        assert code == ExitCode.DONE
        assert "levels/hall.level.yaml:1:1: warning: this is a folder, though levels/**" in err


def test_other_yaml_is_not_accepted_for_a_spec(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "levels" / "notes.yaml").write_text("todo: [more caves]\n")
    (project / "levels" / "art.png").write_bytes(b"x")
    _, _, err = run(capsys, "check", "levels/whole.level.yaml", ".")
    assert "not exported" not in err


@pytest.mark.parametrize("left", ["nothing", "a.yaml"])
def test_a_project_without_any_spec_fails_and_names_the_pattern(
    project: Path, capsys: pytest.CaptureFixture[str], left: str
) -> None:
    for spec in project.glob("levels/*.yaml"):
        spec.unlink()
    if left != "nothing":
        (project / "levels" / left).write_text(WHOLE)
    message = (
        "exporter.yaml:1:1: error: no level spec matches `levels: levels/**/*.level.yaml` (a spec "
        "is called NAME.level.yaml)"
    )
    for command in (["export", "--jobs", "1"], ["check"]):
        code, out, err = run(capsys, *command)
        assert code == ExitCode.FAILED
        assert message in out + err
        assert ("rename it to a.level.yaml?" in err) == (left != "nothing")
    code, out, _ = run(capsys, "check", "--json")
    assert code == ExitCode.FAILED
    assert [item["message"] for item in json.loads(out)["errors"]] == [message.split("error: ")[1]]
