"""Shared work: targets of one level make equal things once, and nothing else changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.formats import FORMATS, Format
from exporter.model.level import Column, HeightRange, Layer, Level, PlacedObject, Table, Tile
from exporter.targets import TARGETS, Exported, SharedWork, TargetOptions

# The files of a level with one height layer and one table, bitmaps apart.
ONCE = ("exr", "height_png", "r16", "raw", "table_csv", "table_json", "table_xml", "table_xsd")
NAMES = ("unity", "godot", "tiled", "ldtk")
TILES = (Tile(0, "floor", True, False, "#00000000"), Tile(1, "wall", False, True, "#000000"))


class Counting(SharedWork):
    """Counts the real computations."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[Hashable] = Counter()

    def once(self, key: Hashable, make: Any) -> Any:
        def counted() -> Any:
            self.counts[key] += 1
            return make()

        return super().once(key, counted)


def sample() -> Level:
    cells = (np.arange(12 * 7) % 3 == 0).astype(np.uint8).reshape(7, 12)
    samples = (np.arange(33 * 33) * 7).astype(np.uint16).reshape(33, 33)
    layers = {
        "ground": Layer("ground", "tiles", cells, "test", tiles=TILES),
        "upper": Layer("upper", "tiles", 1 - cells, "test", tiles=TILES),
        "relief": Layer("relief", "heights", samples, "test", heights=HeightRange(0, 50)),
    }
    table = Table("monsters", (Column("name", "text"),), (("rat",),))
    return Level(
        "crypt",
        12,
        7,
        layers=layers,
        objects=(PlacedObject(1, "key", 1, 1),),
        tables={"monsters": table},
    )


def options(name: str, **more: Any) -> TargetOptions:
    return TARGETS.get(name).options(**{"path": f"out/{name}", **more})


def export_all(shared: SharedWork, **more: Any) -> dict[str, Exported]:
    level = sample()
    return {
        name: TARGETS.get(name).export(level, options(name, **more), name, shared) for name in NAMES
    }


def test_shared_work_gives_every_target_what_it_makes_alone() -> None:
    level = sample()
    for name, exported in export_all(SharedWork()).items():
        assert exported == TARGETS.get(name).export(level, options(name), name)


@pytest.fixture
def written() -> Iterator[Counter[str]]:
    """Count the real calls of each format."""
    counted: Counter[str] = Counter()

    def count(entry: Format) -> None:
        real = entry.write

        def write(*arguments: Any) -> bytes:
            counted[entry.name] += 1
            return real(*arguments)

        object.__setattr__(entry, "write", write)
        undo.append((entry, real))

    undo: list[tuple[Format, Any]] = []
    for entry in FORMATS.all().values():
        count(entry)
    yield counted
    for entry, real in undo:
        object.__setattr__(entry, "write", real)


def test_equal_work_is_done_once(written: Counter[str]) -> None:
    shared = Counting()
    export_all(shared)
    result = {key[0] for key in shared.counts if isinstance(key, tuple)}
    assert result == {"format", "tileset", "animation", "sheet", "blob"}
    assert set(shared.counts.values()) == {1}
    assert written == {"bitmap": 2} | dict.fromkeys(ONCE, 1)


def test_only_what_reads_an_option_is_created_again_for_another_value(
    written: Counter[str],
) -> None:
    shared = SharedWork()
    level = sample()
    for block_size in (3, 4, 3):
        chosen = options("tiled", block_size=block_size)
        TARGETS.get("tiled").export(level, chosen, "a", shared)
    assert written["bitmap"] == 2 * 2
    assert written["r16"] == written["table_csv"] == 1


@each_case(
    "more",
    [{"block_size": 3}, {"extrude": 2}, {"colors": {"wall": "#ff0000"}}, {"blob": "fast"}],
)
def test_work_with_other_options_is_not_shared(more: dict[str, Any]) -> None:
    shared = SharedWork()
    level = sample()
    TARGETS.get("tiled").export(level, options("tiled"), "a", shared)
    other = TARGETS.get("tiled").export(level, options("tiled", **more), "a", shared)
    assert other == TARGETS.get("tiled").export(level, options("tiled", **more), "a")
    assert other != TARGETS.get("tiled").export(level, options("tiled"), "a")


def test_what_fails_is_attempted_again() -> None:
    shared = SharedWork()

    def fail() -> bytes:
        raise OSError("no")

    with pytest.raises(OSError, match="no"):
        shared.once("picture", fail)
    assert shared.once("picture", lambda: b"made") == b"made"
