"""Targets from outside: import settings, plugin and beginnings come from their record alone."""

from __future__ import annotations

from outside_packages import Packages, position_of, problem

from exporter.store.indexes import INDEX

TARGET = """
from dataclasses import dataclass
from datetime import date
from exporter.extend import (
    Artifact, Exported, Plugin, Start, TargetOptions, blob_files, format_files, shared_tileset,
    target, tileset_picture,
)

@dataclass(frozen=True, kw_only=True)
class Odd(TargetOptions):
    '''Something odd.'''

    plugin: bool = False
    since: date | None = None

def settings(file, level, options, folder, shared):
    if file.name.endswith(".png"):
        yield Artifact(f"{file.name}.settings", "import-settings", folder.encode(), once=True)

@target(
    "odd",
    Odd,
    title="Odd Engine",
    settings=settings,
    markers=("odd.project",),
    plugin=PLUGIN,
    start=Start("odd/levels", "levels/made", beside_specs={".oddignore": b"*"}),
)
def artifacts(level, options, folder, shared):
    sheet = tileset_picture(level, options.extrude, shared)
    assert shared_tileset(level, options.extrude, shared).tile_size == 16
    return Exported((sheet, *blob_files(level, options, shared)))
"""
LEVEL = "size: [12, 9]\nlayers:\n  ground: {generator: cellular_caves}\n"


def install(packages: Packages, plugin: str = "None", config: str = "{path: game/odd}") -> None:
    files = {
        "odd_pack/__init__.py": "",
        "odd_pack/engine.py": TARGET.replace("PLUGIN", plugin),
        "odd_pack/addon/main.odd": "print",
        "odd_pack/addon/deep/more.odd": "more",
    }
    packages.install("odd-pack", files, {"exporter.targets": {"odd": "odd_pack.engine"}})
    packages.write("exporter.yaml", f"targets:\n  odd: {config}\n")
    packages.write("levels/one.level.yaml", LEVEL)


def files(packages: Packages, folder: str) -> list[str]:
    """Return the files below a folder, but for indexes."""
    root = packages.project / folder
    result = (path for path in root.rglob("*") if path.is_file() and path.name != INDEX)
    return sorted(path.relative_to(root).as_posix() for path in result)


def test_every_file_gets_the_settings_of_its_target(packages: Packages) -> None:
    install(packages, config="{path: game/odd, formats: [preview, text]}")
    assert packages.run("export").returncode == 0
    assert files(packages, "game/odd") == [
        "one.ground.txt",
        "one.lvb",
        "one.preview.png",
        "one.preview.png.settings",
        "one.tileset.png",
        "one.tileset.png.settings",
    ]


def test_a_plugin_of_the_package_is_preserved_in_the_game(packages: Packages) -> None:
    plugin = 'Plugin("addon", "addons/odd", package="odd_pack")'
    install(packages, plugin, "{path: game/odd, plugin: true}")
    reported = problem(packages)["message"]
    assert "'game/odd' is not in a Odd Engine project (looked for odd.project there" in reported
    packages.write("game/odd.project", "")
    assert packages.run("export").returncode == 0
    assert files(packages, "game/addons") == ["odd/deep/more.odd", "odd/main.odd"]


def test_a_target_without_a_plugin_says_so(packages: Packages) -> None:
    install(packages, config="{path: game/odd, plugin: true}")
    assert problem(packages)["message"] == "the target 'odd' has no plugin"


def test_an_option_that_is_no_plain_value_is_reported(packages: Packages) -> None:
    install(packages, config="{path: game/odd, since: '2020-02-29'}")
    error = problem(packages)
    reported = (
        "the target 'odd' has an option that cannot be kept (a value of type date cannot be part "
        "of a cache key)"
    )
    assert (error["message"], position_of(error)) == (reported, "exporter.yaml:2:3")


def test_init_adds_what_the_record_says_to_a_game(packages: Packages) -> None:
    install(packages)
    packages.write("other/odd.project", "")
    assert packages.run("init", "other").stdout.startswith("found a Odd Engine project\n")
    assert "odd: {path: levels/made}" in (packages.project / "other/exporter.yaml").read_text()
    assert (packages.project / "other/levels/.oddignore").read_bytes() == b"*"
    assert packages.run("init", "new").returncode == 0
    assert "odd:" not in (packages.project / "new/exporter.yaml").read_text()
