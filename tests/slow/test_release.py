"""Releases: pinned versions, permissions, and checks of the scripts."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from exporter import __version__
from team_repository import CHECKOUT, environment

FOLDER = CHECKOUT / ".github" / "workflows"
WORKFLOWS = sorted(FOLDER.glob("*.yml"))
PAGES = CHECKOUT / "exporter" / "docs"


def workflow(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in workflow(path)["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_foreign_action_is_pinned_to_a_commit(path: Path) -> None:
    for step in steps(path):
        used = step.get("uses", "./")
        assert used.startswith("./") or re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", used), used


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_jobs_may_read_only_unless_they_say_otherwise(path: Path) -> None:
    assert workflow(path)["permissions"] == {"contents": "read"}
    for name, job in workflow(path)["jobs"].items():
        assert job["timeout-minutes"] <= 120
        more = {right for right, level in job.get("permissions", {}).items() if level == "write"}
        assert more == {
            ("release.yml", "attest"): {"id-token", "attestations"},
            ("release.yml", "publish"): {"id-token"},
            ("release.yml", "release"): {"contents"},
            ("site.yml", "publish"): {"id-token", "pages"},
        }.get((path.name, name), set())
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_what_wheels_are_built_with_is_pinned() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    lines = (CHECKOUT / ".ci" / "build-constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {line.split("==")[0] for line in lines if "==" in line}
    assert {re.split("[><=]", item)[0] for item in project["build-system"]["requires"]} == pinned
    constraints = {"PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT"}
    assert project["tool"]["cibuildwheel"]["environment"].keys() == constraints
    assert set(project["tool"]["cibuildwheel"]["environment"].values()) == {
        ".ci/build-constraints.txt"
    }
    (source,) = (
        step for step in steps(FOLDER / "release.yml") if "-m build" in step.get("run", "")
    )
    assert source["env"] == {"PIP_CONSTRAINT": ".ci/build-constraints.txt"}


@pytest.mark.parametrize("name", ["publish", "release"])
def test_nothing_is_published_without_a_tag_a_switch_and_a_person(name: str) -> None:
    job = workflow(FOLDER / "release.yml")["jobs"][name]
    assert job["if"] == "startsWith(github.ref, 'refs/tags/v') && vars.PUBLISH == 'true'"
    assert job["environment"] == "release"
    text = (FOLDER / "release.yml").read_text(encoding="utf-8")
    assert "secrets." not in text
    assert "password:" not in text


def test_a_release_has_the_packages_for_the_engines_with_attestations() -> None:
    jobs = workflow(FOLDER / "release.yml")["jobs"]
    assert any(".ci/build-packages" in step.get("run", "") for step in jobs["packages"]["steps"])
    assert jobs["attest"]["needs"] == ["source", "packages"]
    attested = [step.get("with", {}).get("subject-path") for step in jobs["attest"]["steps"]]
    assert "packages/*" in attested
    assert any("packages/*" in step.get("run", "") for step in jobs["release"]["steps"])


def test_scripts_that_workflows_run_are_there() -> None:
    reported = [step["run"] for path in WORKFLOWS for step in steps(path) if "run" in step]
    scripts = set(re.findall(r"\.ci/[\w.-]+", "\n".join(reported)))
    named = ("run", "sbom", "check-tag", "release-tools.txt", "test-versions")
    assert {f".ci/{name}" for name in named} <= scripts
    assert all((CHECKOUT / script).is_file() for script in scripts)


@pytest.mark.parametrize("arguments", [[], ["oldest"]])
def test_versions_to_test_with_are_lowest_or_newest(arguments: list[str]) -> None:
    command = ["bash", str(CHECKOUT / ".ci" / "test-versions"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "lowest|newest" in done.stderr


def test_tested_versions_are_of_packages_that_the_exporter_needs() -> None:
    """The script takes extras by name: all but those for tests and for the site."""
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    text = (CHECKOUT / ".ci" / "test-versions").read_text(encoding="utf-8")
    (extras,) = re.findall(r"^extras=\((.*)\)$", text, re.M)
    assert set(extras.split()) == set(settings["project"]["optional-dependencies"]) - {
        "test",
        "docs",
    }
    (folders,) = re.findall(r"^tests=\((.*)\)$", text, re.M)
    assert all((CHECKOUT / "tests" / folder).is_dir() for folder in folders.split())


def test_tools_of_a_release_have_one_version() -> None:
    lines = (CHECKOUT / ".ci" / "release-tools.txt").read_text(encoding="utf-8").splitlines()
    tools = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z-]+==\d+(\.\d+)+", line) for line in tools)
    assert {line.partition("==")[0] for line in tools} == {"build", "cibuildwheel", "cyclonedx-bom"}


def test_wheels_are_created_for_every_python_that_is_supported() -> None:
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    wheels = settings["tool"]["cibuildwheel"]
    assert wheels["build"][0] == "cp3{}-*".format(
        settings["project"]["requires-python"].rpartition(".")[2]
    )
    assert wheels["linux"]["archs"] == ["x86_64", "aarch64"]
    assert wheels["macos"]["archs"] == ["x86_64", "arm64"]
    assert wheels["windows"]["archs"] == ["AMD64", "ARM64"]
    script, project = re.findall(r"\{project\}/(\S+)", wheels["test-command"])
    assert (CHECKOUT / script).is_file()
    assert (CHECKOUT / project / "exporter.yaml").is_file()
    platforms = workflow(FOLDER / "release.yml")["jobs"]["wheels"]["strategy"]["matrix"]["include"]
    assert {platform["platform"] for platform in platforms} == {
        "linux",
        "macos",
        "windows",
        "pyodide",
    }


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        (f"refs/tags/v{__version__}", 0),
        ("refs/tags/v0.0.9", 1),
        (f"refs/tags/{__version__}", 1),
        ("refs/heads/main", 0),
    ],
)
def test_a_tag_is_the_version_of_the_source(reference: str, code: int) -> None:
    command = ["bash", str(CHECKOUT / ".ci" / "check-tag"), reference]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert bool(done.stderr) == bool(code)


def check_installed(packages: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Run the check of an installation, with the packages in a folder."""
    script = shutil.copy(CHECKOUT / ".ci" / "check-installed.py", tmp_path / "check-installed.py")
    project = tmp_path / "project"
    (project / "levels").mkdir(parents=True)
    (project / "exporter.yaml").write_text("targets: {tiled: {path: tiled}}\n")
    spec = "size: [12, 12]\nlayers: {ground: {generator: cellular_caves}}\n"
    (project / "levels" / "cave.level.yaml").write_text(spec)
    variables = environment()
    variables["PYTHONPATH"] = variables["PYTHONPATH"].replace(str(CHECKOUT), str(packages), 1)
    command = [sys.executable, script, str(project)]
    return subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Return a folder with a copy of the exporter, as it is installed."""
    folder = tmp_path / "site-packages"
    leave_out = shutil.ignore_patterns("__pycache__", "docs")
    shutil.copytree(CHECKOUT / "exporter", folder / "exporter", ignore=leave_out)
    shutil.copytree(CHECKOUT / "templates", folder / "exporter" / "templates")
    return folder


def test_an_installation_with_compiled_kernels_passes(packages: Path, tmp_path: Path) -> None:
    if not list((packages / "exporter" / "kernels").glob("noise.*[!y]")):
        pytest.skip("the kernels are not compiled here")
    done = check_installed(packages, tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d+ compiled kernels, 1 levels, \d files", done.stdout)


def test_an_installation_without_one_kernel_is_refused(packages: Path, tmp_path: Path) -> None:
    for file in (packages / "exporter" / "kernels").glob("noise.*[!y]"):
        file.unlink()
    done = check_installed(packages, tmp_path)
    assert done.returncode == 1
    assert "not compiled:" in done.stderr
    assert "noise" in done.stderr


def test_an_installation_that_lacks_files_is_refused(packages: Path, tmp_path: Path) -> None:
    (packages / "exporter" / "targets" / "tiled.py").unlink()
    done = check_installed(packages, tmp_path)
    assert done.returncode == 1
    assert "check-installed: " in done.stderr


def test_the_page_for_teams_names_hooks_and_inputs_that_there_are() -> None:
    text = (PAGES / "how-to" / "teams.md").read_text(encoding="utf-8")
    hooks = yaml.safe_load((CHECKOUT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", text, re.S)]
    settings, levels = blocks
    named = {hook["id"] for hook in settings["repos"][0]["hooks"]}
    assert named == {hook["id"] for hook in hooks}
    assert settings["repos"][0]["rev"] == f"v{__version__}"
    action = yaml.safe_load((CHECKOUT / ".github/action/action.yml").read_text(encoding="utf-8"))
    reported = re.findall(r"^\| `([a-z-]+)` \| .* \| (.*) \|$", text, re.M)
    inputs = {name: default.strip("`") for name, default in reported if name in action["inputs"]}
    expected = {name: item["default"] for name, item in action["inputs"].items()}
    assert inputs == {**expected, "install": "the action's own version"}
    step = levels["jobs"]["levels"]["steps"][1]
    assert set(step["with"]) <= set(action["inputs"])
    assert f".github/action@v{__version__}" in step["uses"]


def test_the_security_policy_and_the_promises_agree() -> None:
    policy = (CHECKOUT / ".github" / "SECURITY.md").read_text(encoding="utf-8")
    (link,) = re.findall(r"\]\(([^)]+)\)", policy)
    assert (CHECKOUT / ".github" / link).resolve() == PAGES / "reference" / "security.md"
    promises = (PAGES / "reference" / "promises.md").read_text(encoding="utf-8")
    for text in (policy, promises):
        assert "newest minor version" in text.lower()
        assert "for one year" in text
