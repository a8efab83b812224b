"""Problems for the machines of a team: workflow commands of GitHub, and SARIF documents."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from daemon_harness import Project
from exporter import __version__
from exporter.cli.main import main
from exporter.console.annotations import workflow_command
from exporter.console.sarif import sarif_text
from exporter.model.errors import Problem

WRONG = "size: [12, 12]\nwrong: 1\nlayers: {ground: {generator: cellular_cave}}\n"
# The SARIF standard (2.1.0) for the objects in our documents, closed to all others.
TEXT = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string", "minLength": 1}},
}
POSITION = {"type": "integer", "minimum": 1}


def closed(required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def listed(items: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


LEVEL = {"enum": ["none", "note", "warning", "error"]}
REGION = closed(
    "startLine startColumn",
    startLine=POSITION,
    startColumn=POSITION,
    endColumn=POSITION,
    snippet=TEXT,
)
LOCATION = closed(
    "physicalLocation",
    physicalLocation=closed(
        "artifactLocation region",
        artifactLocation=closed("uri", uri={"type": "string", "pattern": "^[^ \\\\]+$"}),
        region=REGION,
    ),
)
RESULT = closed(
    "ruleId ruleIndex level message locations",
    ruleId={"type": "string"},
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=TEXT,
    locations=listed(LOCATION, minItems=1),
    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
)
RULE = closed(
    "id",
    id={"type": "string"},
    shortDescription=TEXT,
    defaultConfiguration=closed("level", level=LEVEL),
)
DRIVER = closed(
    "name", name={"type": "string"}, semanticVersion={"type": "string"}, rules=listed(RULE)
)
RUN = closed(
    "tool",
    tool=closed("driver", driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results=listed(RESULT),
)
DOCUMENT = closed(
    "version runs", **{"$schema": {"type": "string"}}, version={"const": "2.1.0"}, runs=listed(RUN)
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    project = Project(tmp_path / "my game", "targets:\n  tiled: {path: tiled}\n")
    monkeypatch.chdir(tmp_path)
    return project


def commands(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("::")]


def sarif(text: str) -> dict[str, Any]:
    """Read a document, which must be as the standard says, and return its run."""
    document = json.loads(text)
    jsonschema.validate(document, DOCUMENT)
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["defaultConfiguration"]["level"] == result["level"]
    return run


@pytest.mark.parametrize("command", ["export", "check"])
def test_github_is_reported_the_file_the_line_and_the_columns(
    project: Project, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    project.spec("cave").write_text(WRONG)
    assert main([command, "my game", "--annotations", "github"]) == 1
    output = capsys.readouterr()
    assert commands(output.err) == [
        "::error file=my game/levels/cave.level.yaml,line=2,col=1,endColumn=5::"
        "unknown key 'wrong' (did you mean 'rng'?)",
        "::error file=my game/levels/cave.level.yaml,line=3,col=30,endColumn=42::"
        "unknown generator 'cellular_cave' (did you mean 'cellular_caves'?)",
    ]
    assert commands(output.out) == []
    assert "    2 | wrong: 1" in output.err  # the text for people is unchanged


@pytest.mark.parametrize("command", ["export", "check"])
def test_github_is_reported_beside_a_document_for_programs(
    project: Project, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    project.spec("cave").write_text(WRONG)
    assert main([command, "my game", "--json", "--annotations", "github"]) == 1
    output = capsys.readouterr()
    assert len(commands(output.err)) == 2
    assert len(json.loads(output.out)["levels"][0]["errors"]) == 2


def test_github_is_reported_of_all_problems(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.spec("cave").write_text("".join(f"wrong{index}: 1\n" for index in range(15)))
    assert main(["export", "my game", "--max-errors", "2", "--annotations", "github"]) == 1
    assert len(commands(capsys.readouterr().err)) >= 15


def test_files_are_relative_to_the_repository(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project.spec("cave").write_text(WRONG)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(project.root.parent))
    monkeypatch.chdir(project.root / "levels")
    assert main(["check", "--annotations", "github", ".."]) == 1
    assert "::error file=my game/levels/cave.level.yaml,line=2" in capsys.readouterr().err
    assert main(["check", "--annotations", "sarif", ".."]) == 1
    result = sarif(capsys.readouterr().out)["results"][0]
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "my%20game/levels/cave.level.yaml"


def test_links_keep_their_names_and_files_elsewhere_their_paths(
    project: Project,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    elsewhere = tmp_path / "elsewhere.yaml"
    elsewhere.write_text(WRONG)
    project.spec("linked").symlink_to(elsewhere)
    (tmp_path / "workspace").symlink_to(project.root)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "workspace"))
    main(["check", str(project.spec("linked")), str(elsewhere), "--annotations", "github"])
    output = commands(capsys.readouterr().err)
    assert output[0].startswith("::error file=levels/linked.level.yaml,line=2")
    assert output[2].startswith("::error file=elsewhere.yaml,line=2")


@pytest.mark.parametrize("command", ["export", "check"])
def test_a_sarif_document_has_the_problems_and_nothing_lies_around_it(
    project: Project, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write("fine")
    project.spec("cave").write_text(WRONG)
    assert main([command, "my game", "--annotations", "sarif", "--verbose"]) == 1
    output = capsys.readouterr()
    run = sarif(output.out)
    assert run["tool"]["driver"]["semanticVersion"] == __version__
    assert [item["level"] for item in run["results"]] == ["error", "error"]
    position = run["results"][1]["locations"][0]["physicalLocation"]
    text = "layers: {ground: {generator: cellular_cave}}"
    assert position["region"] == {
        "startLine": 3,
        "startColumn": 30,
        "endColumn": 43,
        "snippet": {"text": text},
    }
    assert output.err.count(": error: ") == 2


def test_a_sarif_document_without_problems_is_valid(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write("fine")
    assert main(["export", "my game", "--annotations", "sarif"]) == 0
    assert sarif(capsys.readouterr().out)["results"] == []


def test_a_fingerprint_stays_when_lines_are_added_above(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    result = []
    for text in (WRONG, f"# a comment\n\n{WRONG}"):
        project.spec("cave").write_text(text)
        main(["check", "my game", "--annotations", "sarif"])
        results = sarif(capsys.readouterr().out)["results"]
        result.append([result["partialFingerprints"]["problem/v1"] for result in results])
    assert result[0] == result[1]
    assert len(set(result[0])) == 2


def test_two_documents_are_not_printed_at_once(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("export", "check"):
        assert main([command, "my game", "--json", "--annotations", "sarif"]) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert "(leave one out)" in output.err


def test_outputs_that_are_not_up_to_date_are_problems_of_their_spec(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write("cave")
    project.write("gone")
    assert main(["export", "my game", "--annotations", "github"]) == 0
    assert commands(capsys.readouterr().err) == []
    assert main(["export", "my game", "--check", "--annotations", "github"]) == 0
    assert commands(capsys.readouterr().err) == []
    spec = project.spec("cave")
    spec.write_text(spec.read_text().replace("seed: 1\n", "seed: 2\n"))
    project.spec("gone").unlink()
    assert main(["export", "my game", "--check", "--annotations", "github"]) == 1
    output = commands(capsys.readouterr().err)
    assert re.fullmatch(
        r"::error file=my game/levels/cave\.level\.yaml,line=1,col=1::\d files are not up to date: "
        r"tiled/cave\..* \(run `exporter export` and commit the files\)",
        next(line for line in output if "cave" in line),
    )
    (removed,) = [line for line in output if "tiled/gone" in line]
    assert removed.startswith("::error file=my game/exporter.yaml,line=1,col=1::")
    # A real export makes them: that is no problem.
    assert main(["export", "my game", "--annotations", "github"]) == 0
    assert commands(capsys.readouterr().err) == []


def test_files_that_somebody_changed_are_warnings(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write("cave")
    main(["export", "my game"])
    next(project.root.glob("tiled/cave.*")).write_text("mine")
    capsys.readouterr()
    assert main(["export", "my game", "--annotations", "sarif"]) == 0
    (result,) = sarif(capsys.readouterr().out)["results"]
    assert result["level"] == "warning"
    assert "kept: changed since it was written" in result["message"]["text"]


def test_a_project_that_cannot_be_read_is_reported(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    (project.root / "exporter.yaml").write_text("targets: {tilde: {path: x}}\n")
    for command in ("export", "check"):
        assert main([command, "my game", "--annotations", "github"]) == 1
        (line,) = commands(capsys.readouterr().err)
        assert line.startswith("::error file=my game/exporter.yaml,line=1,col=11,endColumn=")


def test_no_text_ends_a_workflow_command_or_begins_another() -> None:
    problem = Problem("100 %\n::error::\r\x1b[2Jno", "a,b:c\n.yaml", 3, 7)
    line = workflow_command(problem)
    assert line.splitlines() == [line]
    assert line.startswith("::error file=a%2Cb%3Ac%0A.yaml,line=3,col=7::100 %25%0A::error::%0D")
    assert "\x1b" not in line


def test_a_document_has_the_bytes_of_names_that_are_no_text() -> None:
    problem = Problem("'\udcff' cannot be read", "levels/\udcff b#.yaml", 3, 7, "\udcff: 1")
    text = sarif_text([problem])
    assert "\\udc" not in text
    (result,) = json.loads(text)["runs"][0]["results"]
    assert result["message"]["text"] == "'?' cannot be read"
    (location,) = result["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "levels/%FF%20b%23.yaml"
