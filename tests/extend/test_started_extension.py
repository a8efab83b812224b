"""`exporter init --extension`: its files, and refused names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from outside_packages import CHECKOUT, Packages

from exporter.cli.main import main
from exporter.project.extension_start import MAXIMUM_NAME, check_name
from exporter.project.start_plan import StartError


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_writes_a_package(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--extension", "fallen-halls"]) == 0
    output = capsys.readouterr().out.splitlines()
    assert "wrote fallen_halls/generator.py" in output
    package = here / "fallen-halls"
    for file in package.rglob("*"):
        assert "my" not in re.split(r"[\W_]", file.name)
        if file.is_file():
            assert not re.search("my.extension", file.read_text(encoding="utf-8"))
    points = tomllib.loads((package / "pyproject.toml").read_text())["project"]["entry-points"]
    packages = Packages(package, here)
    packages.install("fallen-halls", {}, points)
    (own,) = [item for item in packages.json("plugins", "--json")["plugins"] if item["origin"]]
    assert (own["name"], own["summary"]) == ("fallen_halls", "A hall with pillars in rows.")


def test_the_readme_of_the_package_tells_commands_that_there_are() -> None:
    text = (CHECKOUT / "templates" / "extension" / "README.md").read_text(encoding="utf-8")
    reported = re.findall(r"^    exporter (\w+)", text, re.M)
    from exporter.cli.main import COMMANDS

    assert reported == ["plugins", "preview", "export"]
    assert set(reported) <= set(COMMANDS)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../halls", "cannot be the name"),
        ("a" * (MAXIMUM_NAME + 1), "cannot be the name"),
        ("json", "is already the name of a Python module"),
        ("com1", "is the name of a device"),
        ("tests", "already the name of a folder of the package"),
        ("hypothesis", "the package 'hypothesis'"),
        ("my-module", "the Python package 'my_module' is installed already"),
        ("visited-caves", "there is a generator 'visited_caves' already"),
    ],
)
def test_a_name_that_cannot_be_used_is_reported(
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
    output = capsys.readouterr().err
    assert why in output
    assert "cannot be" in output or f"choose another name, such as '{name}-maps'" in output
    assert not list(here.iterdir())


def test_no_extension_is_called_as_what_we_need() -> None:
    reported = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = reported["optional-dependencies"]
    needed = [*reported["dependencies"], *extras["zstd"], *extras["cluster"]]
    for item in needed:
        name = re.split(r"[^\w-]", item)[0].lower()
        with pytest.raises(StartError, match="already the name of a Python module"):
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
