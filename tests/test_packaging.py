"""What an installed exporter must contain."""

import tomllib
from pathlib import Path

import exporter
from exporter.project.templates import templates

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]


def test_every_package_is_listed() -> None:
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in (ROOT / "exporter").rglob("__init__.py")
    }
    assert set(SETUPTOOLS["packages"]) - {"exporter.docs", "exporter.templates"} == found


def test_every_kernel_is_compiled_where_there_is_a_compiler() -> None:
    kernels = {
        path.stem
        for path in (ROOT / "exporter" / "kernels").glob("*.py")
        if not path.stem.startswith("_")
    }
    modules = SETUPTOOLS["ext-modules"]
    assert {module["name"].rpartition(".")[2] for module in modules} == kernels
    for module in modules:
        assert module["optional"] is True
        # Contracted multiplications and additions would differ between processors.
        assert "-ffp-contract=off" in module["extra-compile-args"]
        assert (ROOT / module["sources"][0]).is_file()


def test_templates_are_found_and_whole() -> None:
    folder = templates()
    assert (folder / "projects" / "starter" / "exporter.yaml").is_file()
    assert (folder / "godot" / "addons" / "level_exporter" / "plugin.cfg").is_file()
    assert list((folder / "levels").glob("*.level.yaml"))


def test_the_version_is_said_in_one_place() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert exporter.__version__.count(".") == 2
