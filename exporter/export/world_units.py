"""A world's export in units of work: each a pure function, done by any process in any order.

plan     how many parts there are, and what is to be surveyed
survey   extremes of a row of parts
common   what all parts have in common
part     the files of a part, for every target
whole    the files of the world as a whole
"""

from __future__ import annotations

import json
import posixpath
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from exporter.generators import Extremes
from exporter.model.errors import LevelError, ParameterError, SpecError
from exporter.model.keys import stage_key
from exporter.store.commit_plan import File
from exporter.store.store import whole_file

if TYPE_CHECKING:
    from exporter.export.job import LevelBuilder
    from exporter.model.level import Level
    from exporter.pipeline.world import World
    from exporter.project.project import ProjectTarget
    from exporter.reading.level_spec import LevelSpec
    from exporter.targets import Exported, SharedWork

Grounds = Mapping[str, Mapping[int, int]]


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a world's export.

    Attributes:
        kind: What is to be done.
        column: The part's place from the left.
        row: Its place from the top; the row of parts for a survey.
        survey: The layers to survey.
        known: The extremes of layers that were surveyed.
        grounds: See `exporter.model.level.WorldPart`.
    """

    kind: Literal["survey", "common", "part", "whole"]
    column: int = 0
    row: int = 0
    survey: tuple[str, ...] = ()
    known: Mapping[str, Extremes] = field(default_factory=dict)
    grounds: Grounds = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a world is made: columns and rows of parts, and what is surveyed in which round."""

    columns: int
    rows: int
    surveys: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What a unit found beside files; `memory` is the most bytes its process has taken so far."""

    plan: Plan | None = None
    extremes: Mapping[str, Extremes] = field(default_factory=dict)
    grounds: Grounds = field(default_factory=dict)
    memory: int = 0


@dataclass(frozen=True, slots=True)
class Done:
    """What a unit made: files with the warnings of the targets, and what it found."""

    files: tuple[File, ...] = ()
    warnings: tuple[tuple[ProjectTarget, Any], ...] = ()
    found: Found = Found()
    layers: Mapping[str, Any] = field(default_factory=dict)


def do_unit(builder: LevelBuilder, spec: LevelSpec, world: World) -> Done:
    """Do a unit of a world; without one, plan it.

    Args:
        builder: Whose job it is; its cache keeps surveys.
        spec: The world's spec.
        world: The world.

    Raises:
        SpecError: A generator or a target cannot do what is asked.
    """
    unit = builder.job.unit
    if unit is None:
        return Done(found=Found(Plan(world.columns, world.rows, tuple(world.surveys()))))
    if unit.kind == "survey":
        return Done(found=Found(extremes=_survey(builder, world, unit)))
    if unit.kind == "common":
        return Done(found=Found(grounds=world.grounds(unit.known)))
    level = world.part(unit.column, unit.row, unit.known, unit.grounds)
    whole = unit.kind == "whole"
    made: list[File] = []
    warnings: list[tuple[ProjectTarget, Any]] = []
    from exporter.targets import TARGETS, SharedWork

    shared = SharedWork()
    for target in builder.job.project.targets:
        engine = TARGETS.get(target.engine)
        export = engine.export_world if whole else engine.export_part
        exported = _exported(builder, spec, world, target, partial(export, level), shared)
        place = posixpath.normpath(target.options.path)
        made += [
            whole_file(
                posixpath.normpath(f"{place}/{one.name}"),
                one.kind,
                one.layer,
                target.name,
                one.data,
                one.once,
                place,
            )
            for one in exported.artifacts
        ]
        warnings += [(target, one) for one in exported.warnings]
    return Done(tuple(made), tuple(warnings), layers=_layer_reports(level) if whole else {})


def _exported(
    builder: LevelBuilder,
    spec: LevelSpec,
    world: World,
    target: ProjectTarget,
    export: Any,
    shared: SharedWork,
) -> Exported:
    from exporter.export.game_folder import GameFolder
    from exporter.targets import TARGETS

    root = builder.job.project.root
    place = posixpath.normpath(target.options.path)
    reader = GameFolder(root, place, TARGETS.get(target.engine), world.files_of_games())
    try:
        exported: Exported = export(target.options, place, shared.within(reader))
    except LevelError as error:
        told = [spec.problem(one.path, one.message) for one in (error, *error.others)]
        raise SpecError(told) from None
    except ParameterError as error:
        raise SpecError([target.problem(error.message, error.path)]) from None
    return exported


def _survey(builder: LevelBuilder, world: World, unit: Unit) -> dict[str, Extremes]:
    """Survey a row of parts, or remember what it gave."""
    from exporter.pipeline.world import joined_extremes

    known = [[name, one.least, one.greatest] for name, one in sorted(unit.known.items())]
    words = json.dumps([unit.row, unit.survey, known])
    key = stage_key("world survey", builder.job.identity, world.key, str(world.chunk), words)
    data = builder.cache.load(key)
    if data is not None:
        try:
            return {
                str(name): Extremes(int(least), int(greatest))
                for name, least, greatest in json.loads(data)
            }
        except (ValueError, TypeError):
            pass  # not written by us: surveyed anew
    found: dict[str, Extremes] = {}
    for column in range(world.columns):
        window = world.window(column, unit.row)
        found = joined_extremes(found, world.survey(unit.survey, window, unit.known))
    rows = [[name, one.least, one.greatest] for name, one in sorted(found.items())]
    builder.unsaved[key] = json.dumps(rows).encode()
    return found


def _layer_reports(level: Level) -> dict[str, Any]:
    from exporter.export.job import layer_report

    return {name: layer_report(layer) for name, layer in level.layers.items()}


def memory_taken() -> int:
    """Return the most bytes that this process has taken; 0 where the system does not say."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
