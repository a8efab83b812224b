"""Registries: names without imports, one owner for each name, entries of the right kind."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from outside_packages import LEVEL, Packages, level

from exporter.generators import GENERATORS, Generator, generator
from exporter.model.errors import RegistryError
from exporter.model.installed import entry_points
from exporter.model.parameters import Parameters
from exporter.model.registry import Registry


@pytest.fixture
def registry() -> Registry[Generator]:
    """Return a registry beside the real one, with the same built-in names."""
    return Registry("exporter.generators", "generator", Generator)


@pytest.fixture
def here(packages: Packages, monkeypatch: pytest.MonkeyPatch) -> Iterator[Packages]:
    """Return packages that this process sees; their imported modules are forgotten."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(packages.folder)
    yield packages
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and name.startswith("odd"):
            del sys.modules[name]


def entry(name: str) -> Generator:
    return Generator(name, 1, Parameters, lambda parameters, request: None)  # type: ignore


def test_helpers_and_folders_are_no_entries() -> None:
    formats = Registry("exporter.formats", "format", object)
    assert "preview" in formats.built_in()
    assert not {"images", "godot"} & set(formats.built_in())
    assert not [name for name in GENERATORS.built_in() if name.startswith("_")]


def test_names_are_known_without_importing_what_they_stand_for(
    here: Packages, registry: Registry[Generator]
) -> None:
    here.install("odd-pack", {"odd_pack.py": "1 / 0"}, {"exporter.generators": {"odd": "odd_pack"}})
    assert "odd" in registry.names()
    assert registry.names() == sorted(registry.names())
    assert registry.origin("odd") == "odd-pack 1.0"
    assert "odd_pack" not in sys.modules


def test_an_entry_added_at_run_time_is_known_by_its_module(registry: Registry[Generator]) -> None:
    registry.add("mine", entry("mine"), __name__)
    assert "mine" in registry.names()
    assert registry.get("mine").name == "mine"
    assert registry.origin("mine") == __name__
    assert (registry.origin("maze"), registry.origin("nothing")) == (None, None)
    assert "did you mean 'mine'?" in registry.unknown("mien")


def test_a_name_is_accepted_once(registry: Registry[Generator]) -> None:
    registry.add("mine", entry("mine"), "one")
    with pytest.raises(RegistryError, match="name 'mine': one is of one, one of other"):
        registry.add("mine", entry("mine"), "other")
    with pytest.raises(RegistryError, match="name 'mine': both are of one"):
        registry.add("mine", entry("mine"), "one")
    with pytest.raises(RegistryError, match="name 'maze': one is of level-exporter, one of me"):
        registry.add("maze", entry("maze"), "me")


def test_an_entry_is_of_the_registrys_kind(registry: Registry[Generator]) -> None:
    with pytest.raises(TypeError, match="5 is not a generator"):
        registry.add("five", 5, "me")  # type: ignore[arg-type]


def test_an_unknown_name_is_a_key_error_with_a_plain_message(
    registry: Registry[Generator],
) -> None:
    with pytest.raises(KeyError) as caught:
        registry.get("maize")
    assert str(caught.value) == "unknown generator 'maize' (did you mean 'maze'?)"


def test_a_module_that_failed_is_not_used_half_done(
    here: Packages, registry: Registry[Generator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exporter.generators.GENERATORS", registry)
    text = (
        "from exporter.generators import GENERATORS, Generator\n"
        "GENERATORS.add('odd', Generator('odd', 1, object, None), __name__)\n1 / 0\n"
    )
    here.install("odd-pack", {"odd_pack.py": text}, {"exporter.generators": {"odd": "odd_pack"}})
    for _ in range(2):
        with pytest.raises(RegistryError, match=r"'odd' of odd-pack 1\.0 cannot be used: imp"):
            registry.get("odd")


def test_what_a_package_takes_from_another_module_is_still_the_packages(
    here: Packages, registry: Registry[Generator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exporter.generators.GENERATORS", registry)
    core = (
        "from exporter.generators import GENERATORS, Generator\n"
        "GENERATORS.add('odd', Generator('odd', 1, object, None), __name__)\n"
    )
    files = {"odd_core.py": core, "odd_pack.py": "import odd_core\n"}
    here.install("odd-pack", files, {"exporter.generators": {"odd": "odd_pack"}})
    assert registry.get("odd").name == "odd"
    assert registry.origin("odd") == "odd-pack 1.0"


def test_parts_of_one_namespace_belong_to_their_own_packages(
    here: Packages, registry: Registry[Generator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exporter.generators.GENERATORS", registry)
    for part in ("one", "two"):
        text = (
            "from exporter.generators import GENERATORS, Generator\n"
            f"GENERATORS.add('{part}', Generator('{part}', 1, object, None), __name__)\n"
        )
        points = {"exporter.generators": {part: f"odd_names.{part}.maps"}}
        files = {f"odd_names/{part}/__init__.py": "", f"odd_names/{part}/maps.py": text}
        here.install(f"odd-{part}", files, points)
    assert [registry.get(part).name for part in ("one", "two")] == ["one", "two"]
    assert [registry.origin(part) for part in ("one", "two")] == ["odd-one 1.0", "odd-two 1.0"]


def test_the_first_of_two_installations_of_a_package_counts(
    here: Packages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"exporter.puzzles": {"odd": "odd"}}
    for number, name in ((1, "Odd_Pack"), (2, "odd-pack")):
        other = Packages(tmp_path / f"place{number}", tmp_path)
        other.install(name, {}, points, f"{number}.0")
        monkeypatch.syspath_prepend(other.folder)
    assert [point.distribution for point in entry_points()] == ["odd-pack 2.0"]


def test_only_our_groups_are_looked_at(here: Packages) -> None:
    points = {"console_scripts": {"odd": "odd:main"}, "exporter.puzzles": {"odd": "odd:build"}}
    here.install("odd-pack", {}, points)
    here.install("script-pack", {}, {"console_scripts": {"script": "exporter.codecs:main"}})
    (point,) = entry_points()
    assert (point.group, point.module) == ("exporter.puzzles", "odd")


def test_a_generator_in_a_script_needs_no_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    import exporter.generators

    registry = Registry("exporter.generators", "generator", Generator)
    monkeypatch.setattr(exporter.generators, "GENERATORS", registry)

    @generator("scripted", version=3)
    def generate(parameters: Scripted, request: object) -> object:
        raise ValueError("no")

    result = registry.get("scripted")
    assert (result.version, result.parameters, result.summary) == (3, Scripted, "Of a script.")
    with pytest.raises(Exception, match=rf"generator 'scripted' of {__name__} failed \(ValueError"):
        result.generate(None, None)  # type: ignore[arg-type]


@dataclass(frozen=True, kw_only=True)
class Scripted(Parameters):
    """Of a script."""


def test_an_export_with_nothing_to_do_reads_no_metadata(packages: Packages) -> None:
    level(packages, LEVEL.replace("NAME", "drunkard"))
    assert packages.run("export").returncode == 0
    result = packages.python(
        "import sys; from exporter.cli.main import main; main(['export'])\n"
        "print(*{'importlib.metadata', 'pydantic', 'numpy'} & {*sys.modules})"
    )
    assert result.splitlines() == ["1 level: 1 unchanged", ""]
