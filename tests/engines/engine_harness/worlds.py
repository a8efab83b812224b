"""Worlds in real Godot: writing some of their parts, and asking about what is around the view."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine_harness.godot import Godot
from engine_harness.levels import write_artifacts
from exporter.pipeline.world import World
from exporter.reading.reader import parse_level
from exporter.targets import TARGETS

VISIT_WORLD = Path(__file__).with_name("visit_world.gd")
FOLDER = "levels"


def export_world(
    text: str, name: str, parts: Iterable[tuple[int, int]], project: Path, **options: Any
) -> World:
    """Export some parts of a world, and its own files, into a game; there may be no warnings.

    Args:
        text: The spec.
        name: The world's name.
        parts: Columns and rows of the parts.
        project: The game.
        **options: Options of the target.
    """
    world = World(parse_level(text.encode(), f"{name}.level.yaml"))
    known = world.extremes()
    grounds = world.grounds(known)
    target = TARGETS.get("godot")
    chosen = target.options(path=FOLDER, **options)
    for column, row in parts:
        part = world.part(column, row, known, grounds)
        made = target.export_part(part, chosen, FOLDER)
        assert made.warnings == ()
        write_artifacts(made.artifacts, project / FOLDER)
    middle = world.part(world.columns // 2, world.rows // 2, known, grounds)
    whole = target.export_world(middle, chosen, FOLDER)
    assert whole.warnings == ()
    write_artifacts(whole.artifacts, project / FOLDER)
    return world


def visit_world(
    godot: Godot,
    project: Path,
    name: str,
    visits: Iterable[dict[str, Any]],
    window: tuple[int, int] | None = None,
    **properties: Any,
) -> list[dict[str, Any]]:
    """Return what is there at each place that a camera visits.

    Args:
        godot: The engine.
        project: The game.
        name: The world's name.
        visits: Places `x` and `y` of the camera in pixels; `parts` that are waited for, by a cell;
            `cells` and `pairs` of which collision and paths are asked; `speed` in pixels a frame.
        window: The size of a window; None for none.
        **properties: Properties of the node with the script.
    """
    question = {
        "scene": f"res://{FOLDER}/{name}.tscn",
        "visits": list(visits),
        "set": properties,
    }
    answer: list[dict[str, Any]] = godot.query(
        project,
        VISIT_WORLD,
        question,
        seconds=600,
        allow_warnings=window is not None,
        window=window,
    )
    return answer
