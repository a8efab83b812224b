"""Export events about levels, removals and problems, and the chosen levels."""

from __future__ import annotations

import pytest

from exporter.export.events import LevelResult, RecipeChange, Removal
from exporter.export.settings import Settings
from exporter.model.errors import Problem
from exporter.store.entries import Output


def test_the_report_has_everything_that_is_known_of_a_level() -> None:
    result = LevelResult(
        "cave",
        "levels/cave.level.yaml",
        "failed",
        seconds=1.23456789,
        outputs=(Output("t/cave.tmj", "map", "ground", "tiled", 12, "hash", once=True),),
        written=("t/cave.tmj",),
        preserved=("t/cave.tsj",),
        moved=(("t/cave.tmj", "t/old.tmj"),),
        recipes=(RecipeChange("ground", "maze", 1, 2),),
        problems=(Problem("no", "levels/cave.level.yaml", 3, 7, "x: y"),),
        warnings=(Problem("too large", "levels/cave.level.yaml", severity="warning"),),
        objects={"chest": {"asked": 5, "placed": 3}},
        layers={"ground": {"generator": "maze"}},
        causes=("exporter.yaml",),
    )
    assert result.report() == {
        "level": "cave",
        "spec": "levels/cave.level.yaml",
        "status": "failed",
        "seconds": 1.234568,
        "outputs": [
            {
                "path": "t/cave.tmj",
                "kind": "map",
                "layer": "ground",
                "target": "tiled",
                "bytes": 12,
                "sha256": "hash",
            }
        ],
        "errors": [{"file": "levels/cave.level.yaml", "line": 3, "column": 7, "message": "no"}],
        "complete": False,
        "objects": {"chest": {"asked": 5, "placed": 3}},
        "warnings": [
            "too large",
            "t/cave.tsj: kept: changed since it was written (--overwrite writes over it)",
        ],
        "layers": {"ground": {"generator": "maze"}},
        "causes": ["exporter.yaml"],
        "written": ["t/cave.tmj"],
        "kept": ["t/cave.tsj"],
        "moved": [{"from": "t/old.tmj", "to": "t/cave.tmj"}],
        "recipes": [{"layer": "ground", "generator": "maze", "from": 1, "to": 2}],
    }


def test_what_is_not_known_of_a_level_is_empty() -> None:
    report = LevelResult("cave", "cave.level.yaml", "unchanged").report()
    assert report["seconds"] == 0
    empty = {key: value for key, value in report.items() if not value and key != "seconds"}
    assert empty == {
        "outputs": [],
        "errors": [],
        "warnings": [],
        "objects": {},
        "layers": {},
        "causes": [],
        "written": [],
        "kept": [],
        "moved": [],
        "recipes": [],
    }
    assert LevelResult("cave", "cave.level.yaml", "unchanged").elapsed == 0


def test_the_report_has_what_was_removed_and_what_was_preserved() -> None:
    removal = Removal("cave", "cave.level.yaml", ("t/a",), ("t/b",), "cleaned", ("t/c",))
    assert removal.report() == {
        "level": "cave",
        "spec": "cave.level.yaml",
        "paths": ["t/a"],
        "removed": ["t/a"],
        "kept": ["t/b"],
        "held": ["t/c"],
        "reason": "cleaned",
    }


@pytest.mark.parametrize(
    ("patterns", "selected"),
    [
        ((), True),
        (("cave",), True),
        (("c?ve",), True),
        (("x", "ca*"), True),
        (("Cave",), False),
        (("cav",), False),
    ],
)
def test_levels_are_selected_by_any_pattern_with_its_case(
    patterns: tuple[str, ...], selected: bool
) -> None:
    assert Settings(patterns).selects("cave") == selected


def test_by_default_everything_stale_is_written_and_nothing_else() -> None:
    settings = Settings()
    assert (settings.jobs, settings.force, settings.dry_run) == (None, False, False)
    assert not settings.overwrite
