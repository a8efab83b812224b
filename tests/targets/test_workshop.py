"""The workshop: targets of one level share equal work, and nothing else changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from exporter.model.level import Column, HeightRange, Layer, Level, PlacedObject, Table, Tile
from exporter.model.registry import Registry
from exporter.targets import TARGETS, Exported, Target, TargetOptions, Workshop

NAMES = ("unity", "godot", "tiled", "ldtk")
TILES = (Tile(0, "floor", True, False, "#00000000"), Tile(1, "wall", False, True, "#000000"))


class Counting(Workshop):
    """Counts what was really made."""

    def __init__(self) -> None:
        super().__init__()
        self.made: Counter[Hashable] = Counter()

    def once(self, key: Hashable, make: Any) -> Any:
        def counted() -> Any:
            self.made[key] += 1
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


def export_all(workshop: Workshop, **more: Any) -> dict[str, Exported]:
    level = sample()
    return {
        name: TARGETS.get(name).export(level, options(name, **more), name, workshop)
        for name in NAMES
    }


def test_shared_work_gives_every_target_what_it_makes_alone() -> None:
    level = sample()
    for name, exported in export_all(Workshop()).items():
        assert exported == TARGETS.get(name).artifacts(level, options(name), name)


def test_equal_work_is_done_once() -> None:
    workshop = Counting()
    export_all(workshop)
    made = {key[0] for key in workshop.made if isinstance(key, tuple)}
    assert made == {"bitmap", "heights", "tileset", "sheet", "blob", "table"}
    assert set(workshop.made.values()) == {1}


@pytest.mark.parametrize(
    "more",
    [{"block_size": 3}, {"extrude": 2}, {"colors": {"wall": "#ff0000"}}, {"blob": "fast"}],
    ids=lambda more: next(iter(more)),
)
def test_work_with_other_options_is_not_shared(more: dict[str, Any]) -> None:
    workshop = Workshop()
    level = sample()
    TARGETS.get("tiled").export(level, options("tiled"), "a", workshop)
    other = TARGETS.get("tiled").export(level, options("tiled", **more), "a", workshop)
    assert other == TARGETS.get("tiled").artifacts(level, options("tiled", **more), "a")
    assert other != TARGETS.get("tiled").artifacts(level, options("tiled"), "a")


def test_what_fails_is_tried_again() -> None:
    workshop = Workshop()

    def fail() -> bytes:
        raise OSError("no")

    with pytest.raises(OSError, match="no"):
        workshop.once("picture", fail)
    assert workshop.once("picture", lambda: b"made") == b"made"


def test_a_target_may_do_without_a_workshop(monkeypatch: pytest.MonkeyPatch) -> None:
    import exporter.targets

    registry: Registry[Target] = Registry("exporter.targets", "target")
    monkeypatch.setattr(exporter.targets, "TARGETS", registry)

    @dataclass(frozen=True, kw_only=True)
    class Plain(TargetOptions):
        """A target of somebody else."""

    @exporter.targets.target("plain", Plain)
    def artifacts(level: Level, options: Plain, place: str) -> Exported:
        return Exported((), (f"{level.name} {place}",))

    made = registry.get("plain").export(sample(), Plain(path="out"), "out", Workshop())
    assert made.warnings == ("crypt out",)
