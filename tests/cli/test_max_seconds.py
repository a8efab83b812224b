"""`--max-seconds` on the command line: the same meaning for every command that builds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exporter.build import costs
from exporter.cli.main import main

DEAR = """size: [64, 64]
layers:
  relief:
    generator: heightmap
    droplets: 10000000
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "levels").mkdir()
    (tmp_path / "exporter.yaml").write_text("targets:\n  tiled: {path: t}\n")
    (tmp_path / "levels" / "dear.level.yaml").write_text(DEAR)
    monkeypatch.chdir(tmp_path)
    return tmp_path


SAID = "levels/dear.level.yaml:5:15: error: building this level takes about"


@pytest.mark.parametrize("command", [["export"], ["check"], ["check", "levels/dear.level.yaml"]])
def test_a_dear_level_is_refused_at_its_parameter(
    project: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--max-seconds", "20"]) == 1
    said = capsys.readouterr().err
    assert SAID in said
    assert "(allowed: 20; --max-seconds allows more)" in said
    assert "droplets: 10000000" in said


def test_a_preview_is_refused_as_well(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preview", "levels/dear.level.yaml", "--max-seconds", "20"]) == 1
    assert SAID in capsys.readouterr().err


def test_a_long_level_is_a_warning_of_check_and_fails_nothing(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # `check` builds it, so the limit is lowered instead.
    monkeypatch.setattr(costs, "NOTABLE_SECONDS", 0.3)
    spec = project / "levels" / "dear.level.yaml"
    spec.write_text(DEAR.replace("10000000", "100000"))
    assert main(["check"]) == 0
    output = capsys.readouterr()
    assert "dear.level.yaml:5:15: warning: building this level takes about" in output.err
    assert output.out == "1 file: no problems, 1 warning\n"
    assert main(["check", "--json"]) == 0
    (level,) = json.loads(capsys.readouterr().out)["levels"]
    assert level["errors"] == []
    assert level["status"] == "unchanged"
    assert level["warnings"][0].startswith("building this level takes about")


@pytest.mark.parametrize("command", ["export", "check", "preview", "watch"])
@pytest.mark.parametrize("value", ["0", "-1", "soon"])
def test_no_time_at_all_is_wrong_usage(
    project: Path, command: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["levels/dear.level.yaml"] if command == "preview" else []
    with pytest.raises(SystemExit) as ended:
        main([command, *arguments, "--max-seconds", value])
    assert ended.value.code == 2
    assert "--max-seconds" in capsys.readouterr().err
