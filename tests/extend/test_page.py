"""The page on extending: its package is built from its examples, installed, and exported with."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from outside_packages import Packages, page_entry_points, page_files

import exporter
import exporter.extend
from exporter.project.reference.page import reference_pages
from exporter.project.reference.registered import registries
from exporter.store.indexes import INDEX

BY_GROUP = {
    "exporter.generators": "pillars",
    "exporter.measures": "sheltered",
    "exporter.visibility.algorithms": "cross",
    "exporter.codecs": "bits",
    "exporter.formats": "things",
    "exporter.targets": "roguelike",
    "exporter.puzzles": "dial",
    "exporter.tilesets.styles": "rust",
}


def outputs(project: Path) -> dict[str, bytes]:
    """Return everything in the folders of the targets, but for their indexes."""
    return {
        path.relative_to(project).as_posix(): path.read_bytes()
        for folder in ("maps", "tiled")
        for path in sorted((project / folder).rglob("*"))
        if path.is_file() and path.name != INDEX
    }


def test_the_page_shows_every_kind_there_is() -> None:
    assert {registry.package for registry in registries().values()} == set(BY_GROUP)
    points = page_entry_points()
    # Commands are in no registry: their names come from the command line.
    assert points.pop("exporter.commands") == {"count-levels": "ruins_pack.count_levels"}
    assert {group: [*named] for group, named in points.items()} == {
        group: [name] for group, name in BY_GROUP.items()
    }
    for named in points.values():
        for module in named.values():
            assert f"{module.replace('.', '/')}.py" in page_files()


def test_the_example_of_the_face_is_the_pages(ruins: Packages) -> None:
    displayed = (exporter.extend.__doc__ or "").replace("'''", '"""')
    for line in page_files()["ruins_pack/pillars.py"].splitlines():
        if line.startswith(
            ("FLOOR", "PILLAR", "@", "    every", "    fallen", "    cells", "def ")
        ):
            assert line in displayed, f"the docstring of exporter.extend does not say: {line}"


def test_every_name_of_the_face_exists_and_its_list_is_sorted() -> None:
    assert len(set(exporter.extend.__all__)) == len(exporter.extend.__all__)
    for name in exporter.extend.__all__:
        assert getattr(exporter.extend, name) is not None
    assert dir(exporter.extend) == sorted(exporter.extend.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        exporter.extend.nothing  # noqa: B018


def test_a_package_from_outside_is_exported_with(ruins: Packages) -> None:
    document = ruins.json("export", "--json")
    (level,) = document["levels"]
    assert (level["status"], level["errors"]) == ("built", [])
    assert level["layers"]["hall"]["generator"] == "pillars"
    result = outputs(ruins.project)
    assert {out["path"] for out in level["outputs"]} == set(result)
    assert {
        "maps/hall.hall.txt",
        "maps/hall.level.txt",
        "maps/hall.things.txt",
        "tiled/hall.lvb",
        "tiled/hall.preview.png",
        "tiled/hall.things.txt",
    } <= set(result)
    rows = result["maps/hall.hall.txt"].decode().splitlines()
    assert (len(rows), len(rows[0])) == (12, 24)
    assert set("".join(rows)) == {".", "#"}
    assert result["maps/hall.things.txt"] == result["tiled/hall.things.txt"]
    assert result["maps/hall.things.txt"].decode().count("statue") == 3
    puzzle = json.loads(result["tiled/hall.gate.puzzle.json"])
    assert len(puzzle["combination"]) == 5
    (warning,) = level["warnings"]
    assert warning == (
        "tiled: hall.lvb leaves out the visibility: its readers in the engines do not know the "
        "rule 'cross'"
    )


def test_the_schema_knows_what_a_package_brings(ruins: Packages) -> None:
    schema = ruins.json("schema")
    properties = schema["properties"]
    layer = properties["layers"]["additionalProperties"]
    assert "pillars" in layer["properties"]["generator"]["enum"]
    (own,) = [item["then"] for item in layer["allOf"] if item["then"]["title"] == "pillars"]
    assert own["description"] == "A hall with pillars in rows. (ruins-pack 1.0)"
    assert own["properties"]["every"]["maximum"] == 64
    assert "dial" in properties["puzzles"]["additionalProperties"]["properties"]["kind"]["enum"]
    required = schema["definitions"]["LevelRequirements"]["properties"]
    assert required["sheltered"]["description"].startswith("Floor that has a cell without floor")
    assert "rust" in properties["tileset"]["properties"]["style"]["anyOf"][0]["enum"]
    assert '"cross"' in json.dumps(schema)


def test_classes_of_the_same_name_do_not_mix_in_the_schema(packages: Packages) -> None:
    text = (
        "from dataclasses import dataclass\n"
        "from exporter.extend import Generated, Parameters, Request, generator\n"
        "@dataclass(frozen=True, kw_only=True)\n"
        "class Requirements(Parameters):\n    moons: int = 1\n"
        "@dataclass(frozen=True, kw_only=True)\n"
        "class Odd(Parameters):\n    wants: Requirements\n"
        "@generator('odd', version=1)\n"
        "def generate(parameters: Odd, request: Request) -> Generated: ...\n"
    )
    packages.install("odd-pack", {"odd.py": text}, {"exporter.generators": {"odd": "odd"}})
    schema = packages.json("schema")
    assert "connected" in schema["definitions"]["Requirements"]["properties"]
    layers = schema["properties"]["layers"]["additionalProperties"]["allOf"]
    (own,) = [layer["then"] for layer in layers if layer["then"]["title"] == "odd"]
    position = own["properties"]["wants"]["$ref"].removeprefix("#/definitions/")
    assert list(schema["definitions"][position]["properties"]) == ["moons"]


def test_a_requested_package_is_in_the_reference(ruins: Packages) -> None:
    with ruins.active():
        page = "".join(reference_pages(extensions=True).values())
        own = "".join(reference_pages().values())
    for line in (
        "A hall with pillars in rows.\n\nRecipe 1. From ruins-pack 1.0.",
        "| `cross` | Cross: along the row and the column of the viewer, as rooks move. "
        "From ruins-pack 1.0. |",
        "| `rust` | Rust: iron halls that nobody has oiled for a century. From ruins-pack 1.0. |",
        "A combination of digits.\n\nFrom ruins-pack 1.0.",
        "A game in a terminal: maps as letters.\n\nFrom ruins-pack 1.0.",
        "| `things` | the level | `.things.txt` | "
        "Things: a line for each placed object, with its cell. From ruins-pack 1.0. |",
    ):
        assert f"\n{line}\n" in page
    assert "ruins-pack" not in own


def test_everything_registered_is_listed_with_who_brings_it(ruins: Packages) -> None:
    plugins = ruins.json("plugins", "--json")["plugins"]
    listed = {(plugin["kind"], plugin["name"]): plugin for plugin in plugins}
    for kind, registry in registries().items():
        ours = {name for result, name in listed if result == kind}
        assert ours >= {*registry.built_in(), BY_GROUP[registry.package]}
        for name in ours - {BY_GROUP[registry.package]}:
            assert listed[kind, name]["origin"] is None
            assert listed[kind, name]["summary"].endswith(".")
        own = listed[kind, BY_GROUP[registry.package]]
        assert (own["origin"], own["problem"]) == ("ruins-pack 1.0", None)
        assert own["summary"].endswith(".")


def test_a_codec_from_outside_is_used_by_name_alone(ruins: Packages) -> None:
    array = np.arange(77).reshape(7, 11) % 3 == 0
    with ruins.active():
        frame = exporter.encode(array, codec="bits")
        assert frame[2] == 130
        assert np.array_equal(exporter.decode(frame), array)
        assert all(exporter.encode(item)[2] < 128 for item in (array, array[:0]))
        with pytest.raises(KeyError, match=r"unknown codec 'bist' \(did you mean 'bits'\?\)"):
            exporter.encode(array, codec="bist")


def test_init_knows_a_target_from_outside(ruins: Packages) -> None:
    assert ruins.run("init", "new", "--engine", "roguelike").returncode == 0
    assert "roguelike: {path: roguelike/maps}" in (ruins.project / "new/exporter.yaml").read_text()
    ruins.write("game/roguelike.toml", "")
    done = ruins.run("init", "game")
    assert done.stdout.startswith("found a Roguelike project\n")
    assert "roguelike: {path: maps}" in (ruins.project / "game/exporter.yaml").read_text()
