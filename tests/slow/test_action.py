"""The composite action: its steps run here as a runner of GitHub runs them."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

import exporter
from scripts import load_script
from team_repository import CHECKOUT, WRONG, Repository

ACTION = CHECKOUT / ".github" / "action"
DEFINITION = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = DEFINITION["runs"]["steps"]


@dataclass
class Runner:
    """Runs the steps that are scripts; steps of other actions are left out."""

    repository: Repository
    folder: Path
    inputs: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    log: str = ""
    summary: str = ""

    def run(self, *ids: str) -> int:
        """Run the steps with these ids in order; return the last code that is not 0."""
        code = 0
        for step in STEPS:
            if step.get("id") in ids:
                code = self._step(step) or code
        return code

    def value(self, text: str) -> str:
        """Fill in the expressions of a text."""
        return re.sub(r"\$\{\{ (.+?) \}\}", lambda result: self._look_up(result[1]), text)

    def _look_up(self, expression: str) -> str:
        match expression.split("."):
            case ["inputs", name]:
                return self.inputs.get(name, DEFINITION["inputs"][name]["default"])
            case ["steps", step, "outputs", name]:
                return self.outputs.get(step, {}).get(name, "")
        raise AssertionError(expression)

    def _step(self, step: dict[str, Any]) -> int:
        output, summary = self.folder / f"{step['id']}.txt", self.folder / "summary.md"
        output.write_text("")
        summary.write_text("")
        variables = {name: self.value(value) for name, value in step.get("env", {}).items()}
        done = self.repository.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
            GITHUB_ACTION_PATH=str(ACTION),
            GITHUB_OUTPUT=str(output),
            GITHUB_STEP_SUMMARY=str(summary),
            GITHUB_WORKSPACE=str(self.repository.root),
            RUNNER_TEMP=str(self.folder),
            PATH=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            **variables,
        )
        self.log += done.stdout + done.stderr
        lines = output.read_text().splitlines()
        self.outputs[step["id"]] = {
            item: value for item, _, value in (x.partition("=") for x in lines)
        }
        self.summary += summary.read_text(encoding="utf-8")
        return done.returncode


def empty_wheel(folder: Path) -> Path:
    """Return a package without content: the exporter is found in the checkout all the same."""
    wheel = folder / "nothing-1.0-py3-none-any.whl"
    information = "nothing-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(
            f"{information}/METADATA", "Metadata-Version: 2.1\nName: nothing\nVersion: 1.0\n"
        )
        archive.writestr(
            f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{information}/RECORD", "")
    return wheel


@pytest.fixture
def runner(repository: Repository, tmp_path: Path) -> Runner:
    folder = tmp_path / "temporary"
    folder.mkdir()
    inputs = {"project": "my game", "install": str(empty_wheel(tmp_path))}
    return Runner(repository, folder, inputs)


def prepare(runner: Runner) -> None:
    """Act as if the step had installed the exporter; the installation has its own test."""
    runner.outputs["prepare"] = {
        "python": sys.executable,
        "state": "my game/.exporter",
        "home": str(runner.folder / "level-exporter-home"),
    }


def test_every_foreign_action_is_pinned_to_a_commit() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert len(used) == 4
    for item in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", item)


def test_no_expression_lies_in_a_script() -> None:
    # Text of a change that gets into a script would be run.
    for step in STEPS:
        assert "${{" not in step.get("run", "")


def test_levels_are_exported_and_drawn_in_the_summary(runner: Runner) -> None:
    project = runner.repository.project
    project.write("second")
    prepare(runner)
    assert runner.run("export", "summary") == 0, runner.log
    assert (project.root / "tiled" / "cave.tmj").is_file()
    assert json.loads(runner.outputs["export"]["changed"]) == ["cave", "second"]
    assert "| cave (levels/cave.level.yaml) | built |" in runner.summary.replace("\\", "")
    drawn = re.findall(r"```\n(.*?)\n```", runner.summary, re.S)
    assert len(drawn) == 2
    for picture in drawn:
        rows = picture.splitlines()
        assert len(rows) == len(rows[0]) == 44
        assert len(set(picture) - {"\n"}) >= 2
    pictures = Path(runner.outputs["summary"]["pictures"])
    assert [item.name for item in sorted(pictures.iterdir())] == ["1-cave.png", "2-second.png"]
    # With the state and the secret of the first run the second one has nothing to do.
    state = runner.repository.root / runner.outputs["prepare"]["state"]
    home = Path(runner.outputs["prepare"]["home"])
    assert state.is_dir()
    assert (home / "secret").is_file()
    runner.summary = ""
    assert runner.run("export", "summary") == 0
    assert "0 built, 2 unchanged, 0 failed" in runner.log
    assert "2 unchanged, 0 stale files." in runner.summary
    assert "```" not in runner.summary


def test_the_floor_of_the_sample_is_not_drawn_as_grass(runner: Runner) -> None:
    project = runner.repository.project
    shutil.copy(
        CHECKOUT / "sample_project" / "levels" / "cavern.level.yaml", project.root / "levels"
    )
    prepare(runner)
    assert runner.run("export", "summary") == 0, runner.log
    cavern = re.findall(r"#### cavern\n\n```\n(.*?)\n```", runner.summary, re.S)[0]
    assert cavern.count("\U0001f7e9") < len(cavern) // 10
    assert cavern.count("\U0001f7eb") > len(cavern) // 4


def test_the_wheel_of_the_exporter_is_built_once(runner: Runner, tmp_path: Path) -> None:
    assert runner.run("wheel") == 0, runner.log
    outputs = runner.outputs["wheel"]
    assert re.fullmatch(r"level-exporter-wheel-cpython-.+-[0-9a-f]{64}", outputs["key"])
    # As if an earlier job had left it there: the cached wheel is installed, without compiling.
    Path(outputs["folder"]).mkdir()
    shutil.copy(empty_wheel(tmp_path), outputs["folder"])
    runner.inputs["install"] = ""
    assert runner.run("prepare") == 0, runner.log
    really = runner.outputs["prepare"]
    installed = Path(runner.outputs["prepare"]["python"]).parents[1]
    assert [path.name for path in installed.rglob("nothing-1.0.dist-info")] == [
        "nothing-1.0.dist-info"
    ]
    assert not list(installed.rglob("level_exporter-*"))
    assert really["version"] == exporter.__version__
    prepare(runner)
    assert {**really, **runner.outputs["prepare"]} == {**really, "python": sys.executable}


def test_a_mistake_is_reported_at_its_line_and_fails_the_job(runner: Runner) -> None:
    runner.repository.project.spec("wrong").write_text(WRONG)
    prepare(runner)
    assert runner.run("export") == 1
    assert "::error file=my game/levels/wrong.level.yaml,line=2,col=1,endColumn=5::" in runner.log
    assert runner.run("summary") == 0
    assert "| failed | 0 | 1 |" in runner.summary


def test_a_check_writes_nothing_and_tells_the_spec(runner: Runner) -> None:
    runner.inputs["check"] = "true"
    prepare(runner)
    assert runner.run("export", "summary") == 1
    assert "::error file=my game/levels/cave.level.yaml,line=1,col=1::" in runner.log
    assert not (runner.repository.project.root / "tiled").exists()
    assert runner.summary.count("```") == 2  # the level as it would be


def test_a_committed_state_is_refused(runner: Runner) -> None:
    state = runner.repository.project.root / ".exporter" / "manifest"
    state.parent.mkdir()
    state.write_text("anything")
    runner.repository.git("add", "-f", str(state))
    assert runner.run("prepare") == 1
    assert "::error::my game/.exporter is committed (remove it with" in runner.log


def test_a_folder_without_a_project_is_reported(runner: Runner) -> None:
    runner.inputs["project"] = "--help"
    assert runner.run("prepare") == 1
    assert "::error::--help has no exporter.yaml" in runner.log


def test_only_so_many_levels_are_drawn_as_requested(runner: Runner) -> None:
    runner.repository.project.write("second")
    prepare(runner)
    runner.inputs["pictures"] = "1"
    assert runner.run("export", "summary") == 0
    assert runner.summary.count("```") == 2
    assert "1 more changed levels are not drawn." in runner.summary
    runner.inputs["pictures"] = "many"
    assert runner.run("summary") == 1
    assert "::error::the input pictures must be a whole number, not 'many'" in runner.log


def test_names_do_not_get_into_the_summary_as_markup() -> None:
    summary = load_script(ACTION / "summary.py")
    assert summary.text("a|b\n[c](d) <img> `e`") == r"a\|b \[c\]\(d\) &lt;img&gt; \`e\`"
    assert summary.file_name("../cave:1") == "---cave-1"
