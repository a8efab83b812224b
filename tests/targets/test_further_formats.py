"""Further formats: any target writes them beside its own files, with the settings they need."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.formats import FORMATS, Artifact, FormatOptions, format
from exporter.formats.csv import write as csv
from exporter.formats.text import write as text
from exporter.model.errors import ParameterError
from exporter.model.level import HeightRange, Layer, Level, PlacedObject, Puzzle, Tile
from exporter.targets import TARGETS, Exported, Notice, SharedWork, TargetOptions, format_files
from exporter.targets._target import Target

NAMES = ("godot", "unity", "tiled", "ldtk")
TILES = (
    Tile(0, "floor", walkable=True, opaque=False, color="#000000"),
    Tile(1, "wall", walkable=False, opaque=True, color="#000000"),
    Tile(2, "water", walkable=False, opaque=False, color="#000000"),
    Tile(3, "curtain", walkable=True, opaque=True, color="#000000"),
)


def sample() -> Level:
    cells = np.array([[1, 1, 1, 9], [0, 2, 3, 1]], np.uint8)
    heights = np.arange(33 * 33, dtype=np.uint16).reshape(33, 33)
    layers = {
        "ground": Layer("ground", "tiles", cells, "test", tiles=TILES),
        "relief": Layer("relief", "heights", heights, "test", heights=HeightRange(0, 5)),
    }
    lock = Puzzle("gate", "dial", {"combination": "12"})
    return Level(
        "crypt",
        4,
        2,
        layers=layers,
        objects=(PlacedObject(1, "key", 0, 1),),
        puzzles={"gate": lock},
    )


def export(target: str, level: Level | None = None, **options: Any) -> Exported:
    record = TARGETS.get(target)
    chosen = record.options(**{"path": "out", "blob": False, **options})
    return record.export(level or sample(), chosen, "out")


def names(files: tuple[Artifact, ...]) -> list[str]:
    return [file.name for file in files]


@each_case("target", NAMES)
def test_they_come_after_the_targets_own_files_in_the_order_requested_for(target: str) -> None:
    own = export(target).artifacts
    all_files = export(target, formats=("text", "preview", "csv", "text")).artifacts
    assert all_files[: len(own)] == own
    further = [
        name for name in names(all_files[len(own) :]) if not name.endswith((".import", ".meta"))
    ]
    assert further == ["crypt.ground.txt", "crypt.preview.png", "crypt.ground.cells.csv"]


@each_case("target", NAMES)
def test_a_format_writes_the_same_for_every_target(target: str) -> None:
    level = sample()
    files = {file.name: file for file in export(target, formats=("text", "csv")).artifacts}
    assert files["crypt.ground.txt"].data == b"### \n.~+#\n"
    assert files["crypt.ground.cells.csv"].data == b"1,1,1,9\n0,2,3,1\n"
    assert files["crypt.ground.txt"].layer == "ground"
    ground = level.layers["ground"]
    options = TARGETS.get(target).options(path="out")
    assert files["crypt.ground.txt"].data == text(level, ground, options)
    assert files["crypt.ground.cells.csv"].data == csv(level, ground, options)


def test_godot_is_reported_how_to_import_them() -> None:
    exported = export("godot", formats=("preview", "csv", "text"))
    settings = {file.name: file.data for file in exported.artifacts if file.once}
    assert b'importer="texture"' in settings["crypt.preview.png.import"]
    assert b'importer="keep"' in settings["crypt.ground.cells.csv.import"]
    assert "crypt.ground.txt.import" not in settings


def test_unity_knows_every_one_of_them() -> None:
    files = names(export("unity", formats=("preview", "csv", "text", "exr")).artifacts)
    assets = [name for name in files if not name.endswith(".meta")]
    assert files == [name for asset in assets for name in (f"{asset}.meta", asset)]
    metas = {file.name: file.data for file in export("unity", formats=("exr",)).artifacts}
    assert b"Importer" not in metas["crypt.relief.exr.meta"]


@each_case(
    ("target", "name"),
    [("tiled", "bitmap"), ("tiled", "puzzle_json"), ("unity", "raw"), ("godot", "exr")],
)
def test_a_format_that_the_target_writes_anyway_has_no_effect(target: str, name: str) -> None:
    assert export(target, formats=(name,)) == export(target)


def test_it_is_accepted_where_the_target_was_reported_not_to() -> None:
    exported = export("tiled", formats=("bitmap", "exr"), bitmaps=False, block_size=2)
    assert {"crypt.ground.png", "crypt.relief.exr"} <= set(names(exported.artifacts))


def test_a_format_that_does_not_fit_a_layer_leaves_it_out_with_a_warning() -> None:
    heights = np.zeros((5, 9), np.uint16)
    layers = {"relief": Layer("relief", "heights", heights, "test")}
    level = Level("crypt", 9, 5, layers=layers)
    for target in ("tiled", "unity"):  # Unity has a warning of its own without the format
        exported = export(target, level, formats=("raw",))
        assert exported.artifacts == export(target, level).artifacts
        (warning,) = exported.warnings
    assert isinstance(warning, Notice)
    assert (
        "layer 'relief' has 9 x 5 samples, so it cannot be written as .raw (allowed"
        in warning.message
    )
    assert warning.path == ("formats",)


@pytest.fixture
def two_formats() -> Any:
    """Register two formats of one suffix for a moment."""

    def write(level: Level, options: FormatOptions) -> bytes:
        return level.name.encode()

    for name, suffix in (("first", "thing"), ("second", "THING")):
        format(name, kind="metadata", suffix=suffix)(write)
    yield
    for name in ("first", "second"):
        del FORMATS._added[name]
        FORMATS._findings.pop(name, None)


def test_two_formats_for_one_file_are_refused(two_formats: None) -> None:
    with pytest.raises(ParameterError, match=r"'second' would write crypt.THING, which the form"):
        export("tiled", formats=("first", "second"))


@each_case(
    ("more", "expected"),
    [
        ({"kind": "music", "suffix": "mid"}, "kind of a format cannot be 'music'"),
        ({"kind": "import-settings", "suffix": "x"}, "kind of a format cannot be 'import-s"),
        ({"kind": "scene", "suffix": "../x"}, "'../x' cannot be a suffix"),
        ({"kind": "scene", "suffix": ".x"}, "'.x' cannot be a suffix"),
        ({"kind": "scene", "suffix": "x", "each": "room"}, "each of a format cannot be 'room'"),
    ],
)
def test_a_format_that_makes_no_sense_is_refused(more: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        format("odd", **more)


@dataclass(frozen=True, kw_only=True)
class Plain(TargetOptions):
    """A third-party target."""


def test_a_target_of_any_package_gets_them_for_nothing() -> None:
    def artifacts(level: Level, options: Plain, place: str, shared: SharedWork) -> Exported:
        return Exported(tuple(format_files("text", level, options, shared)), ("as told",))

    plain = Target(
        **{
            **{name: getattr(TARGETS.get("tiled"), name) for name in Target.__slots__},
            "name": "plain",
            "artifacts": artifacts,
        }
    )
    exported = plain.export(sample(), Plain(path="out", formats=("preview",)), "out")
    assert names(exported.artifacts) == ["crypt.ground.txt", "crypt.preview.png"]
    assert exported.warnings == ("as told",)


def test_every_target_is_given_what_the_others_created() -> None:
    shared = SharedWork()
    level = sample()
    result = {}
    for target in NAMES:
        record = TARGETS.get(target)
        exported = record.export(level, record.options(path="p", formats=("preview",)), "p", shared)
        result[target] = {file.name: file.data for file in exported.artifacts}["crypt.preview.png"]
    assert len({id(data) for data in result.values()}) == 1


def test_puzzles_are_written_as_before() -> None:
    (file,) = (f for f in export("tiled").artifacts if f.kind == "puzzle")
    assert file.name == "crypt.gate.puzzle.json"
    assert json.loads(file.data) == {"name": "gate", "kind": "dial", "combination": "12"}
