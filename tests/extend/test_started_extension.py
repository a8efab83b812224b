"""`exporter init --extension`: what it writes is built, installed, tested and exported with."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest
from outside_packages import CHECKOUT

from exporter.cli.main import main
from exporter.project.extension_start import MAXIMUM_NAME, check_name
from exporter.project.start_plan import StartError


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: list[str], folder: Path) -> str:
    """Run a command that finds this exporter and what it needs; it must succeed."""
    found = [str(CHECKOUT), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(found), "PYTHONWARNINGS": ""}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_writes_a_package_that_works(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("exporter.cli.own_command.own_command", lambda: "exporter")
    assert main(["init", "--extension", "fallen-halls"]) == 0
    told = capsys.readouterr().out.splitlines()
    package = here / "fallen-halls"
    place = os.path.join(".", "fallen-halls")
    assert told[-2].startswith("next: ")
    assert told[-2].endswith(f" -m pip install -e {place}")
    assert told[-1] == "      exporter export fallen-halls"
    assert "wrote fallen_halls/generator.py" in told
    for file in package.rglob("*"):
        assert "my" not in re.split(r"[\W_]", file.name)
        if file.is_file():
            assert not re.search("my.extension", file.read_text(encoding="utf-8"))
    run([sys.executable, "-m", "venv", "environment"], here)
    folder = here / "environment"
    python = next(
        one for one in (folder / "bin/python", folder / "Scripts/python.exe") if one.exists()
    )
    alone = ["--quiet", "--no-build-isolation", "--no-deps", "--no-index"]
    run([str(python), "-m", "pip", "wheel", *alone, "-w", "wheels", str(package)], here)
    (wheel,) = (here / "wheels").iterdir()
    assert "fallen_halls/generator.py" in zipfile.ZipFile(wheel).namelist()
    run([str(python), "-m", "pip", "install", *alone, "-e", "fallen-halls"], here)
    listed = json.loads(run([str(python), "-m", "exporter", "plugins", "--json"], here))["plugins"]
    (own,) = [one for one in listed if one["name"] == "fallen_halls"]
    assert (own["kind"], own["origin"]) == ("generator", "fallen-halls 0.1.0")
    assert own["summary"] == "A hall with pillars in rows."
    assert "3 passed" in run([str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider"], package)
    report = json.loads(run([str(python), "-m", "exporter", "export", "--json"], package))
    assert [one["status"] for one in report["levels"]] == ["built"]
    assert (package / "exported" / "hall.tmj").is_file()
    run(
        [str(python), "-m", "exporter", "preview", "levels/hall.level.yaml", "-o", "p.png"], package
    )
    assert (package / "p.png").read_bytes().startswith(b"\x89PNG")


def test_the_readme_of_the_package_tells_commands_that_there_are() -> None:
    text = (CHECKOUT / "templates" / "extension" / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"^    exporter (\w+)", text, re.M)
    from exporter.cli.main import COMMANDS

    assert told == ["plugins", "preview", "export"]
    assert set(told) <= {command.__name__.rpartition(".")[2] for command in COMMANDS}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Halls", "cannot be the name"),
        ("../halls", "cannot be the name"),
        ("-halls", "cannot be the name"),
        ("halls--two", "cannot be the name"),
        ("a" * (MAXIMUM_NAME + 1), "cannot be the name"),
        ("", "cannot be the name"),
        ("json", "is the name of something else in Python"),
        ("class", "is the name of something else in Python"),
        ("level-exporter", "is the name of something else in Python"),
        ("com1", "is the name of a device"),
        *((name, "something else in Python") for name in ("numpy", "yaml", "pillow", "pytest")),
        *((name, "another folder of the package") for name in ("tests", "levels", "build")),
        ("hypothesis", "the package 'hypothesis'"),
        ("my-module", "the Python package 'my_module' is installed already"),
        ("visited-caves", "there is a generator 'visited_caves' already"),
    ],
)
def test_a_name_that_cannot_be_used_is_told(
    here: Path,
    name: str,
    why: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    modules = tmp_path_factory.mktemp("modules")
    (modules / "my_module.py").touch()
    monkeypatch.syspath_prepend(modules)
    assert main(["init", f"--extension={name}"]) == 2
    told = capsys.readouterr().err
    assert why in told
    assert "cannot be" in told or f"choose another name, such as '{name}-maps'" in told
    assert not list(here.iterdir())


def test_no_extension_is_called_as_what_we_need() -> None:
    told = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = told["optional-dependencies"]
    needed = [*told["dependencies"], *extras["worlds"], *extras["zstd"], *extras["cluster"]]
    for one in needed:
        name = re.split(r"[^\w-]", one)[0].lower()
        with pytest.raises(StartError, match="something else in Python"):
            check_name(name)


def test_nothing_is_written_among_other_files(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "halls" / ".git").mkdir(parents=True)
    (here / "halls" / "README.md").write_text("mine")
    assert main(["init", "--extension", "halls"]) == 2
    assert "halls is not empty (name a new folder" in capsys.readouterr().err
    assert (here / "halls" / "README.md").read_text() == "mine"
    (here / "halls" / "README.md").unlink()
    assert main(["init", "--extension", "halls"]) == 0
    assert (here / "halls" / "pyproject.toml").is_file()
    (here / "file").write_text("mine")
    assert main(["init", "--extension", "halls", "file"]) == 2


def test_options_of_projects_do_not_go_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    for more in (["--engine", "godot"], ["--plugin"], ["--template", "island"]):
        assert main(["init", "--extension", "halls", *more]) == 2
        assert "leave out --engine, --plugin and --template" in capsys.readouterr().err
