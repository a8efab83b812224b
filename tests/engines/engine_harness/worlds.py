"""Worlds in real Godot: write some of their parts, and query the cells around the view."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine_harness.godot import WARNING_LINE, Godot, errors_in
from engine_harness.levels import write_artifacts
from exporter.build.world import World
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
    known = world.surveyed()
    grounds = world.grounds(known)
    target = TARGETS.get("godot")
    chosen = target.options(path=FOLDER, **options)
    for column, row in parts:
        part = world.part(column, row, known, grounds)
        result = target.export_part(part, chosen, FOLDER)
        assert result.warnings == ()
        write_artifacts(result.artifacts, project / FOLDER)
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
    """Return the nodes and cells at each position that a camera visits.

    Args:
        godot: The engine.
        project: The game.
        name: The world's name.
        visits: Places `x` and `y` of the camera in pixels; `parts` to wait for, by a cell; `cells`
            and `pairs` to query for collision and paths, a pair with its navigation layers behind
            it; `speed` in pixels a frame.
        window: The size of a window; None for none.
        **properties: Properties of the node with the script.
    """
    question = {
        "scene": f"res://{FOLDER}/{name}.tscn",
        "visits": list(visits),
        "set": properties,
    }
    answer: list[dict[str, Any]]
    answer, output = godot.query_with_output(project, VISIT_WORLD, question, window=window)
    # When the program ends, threads of the engine may still hold freed objects.
    warnings = [item for item in WARNING_LINE.findall(output) if "leaked at exit" not in item]
    # A virtual screen brings warnings of its own.
    faults = [*errors_in(output), *(warnings if window is None else [])]
    assert not faults, output
    return answer
