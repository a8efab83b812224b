"""Export a world in independent units of work.

The first task plans the world: the number of chunks, the surveys, and whether a chunk can be built
at all. The units that follow, by kind:

survey   collect facts about whole layers, such as extremes, from a row of chunks
settle   combine the facts from all rows
common   check the world's requirements, and find what all chunks share
part     make the files of a chunk for every target
whole    make the files of the world as a whole
"""

from __future__ import annotations

import json
import posixpath
import sys
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from exporter.export.target_files import files_of
from exporter.export.tasks import WorldFindings, WorldLayout, WorldUnit
from exporter.model.errors import LevelError, ParameterError, SpecError
from exporter.model.keys import stage_key
from exporter.model.lazy_dataclass import dataclass
from exporter.store.cache import Cache
from exporter.store.commit_plan import File

if TYPE_CHECKING:
    from exporter.build.world import World
    from exporter.build.world_surveys import Surveyed
    from exporter.model.errors import Problem
    from exporter.model.level import Level
    from exporter.project.project import Project, ProjectTarget
    from exporter.targets import Exported, Notice, SharedWork


@dataclass(frozen=True, slots=True)
class UnitOutput:
    """What a unit of work on a world returns.

    Attributes:
        findings: What the unit found that later units need.
        files: The files that the unit made.
        warnings: The warnings of targets.
        problems: Warnings of the world itself.
        layers: The report about the layers of the chunk, or of the world.
        objects: The numbers of requested and placed objects, by name.
    """

    findings: WorldFindings
    files: tuple[File, ...] = ()
    warnings: tuple[tuple[ProjectTarget, str | Notice], ...] = ()
    problems: tuple[Problem, ...] = ()
    layers: Mapping[str, Any] = field(default_factory=dict)
    objects: Mapping[str, dict[str, int]] = field(default_factory=dict)


def plan_world(world: World, project: Project | None = None) -> UnitOutput:
    """Plan the chunks and surveys of `world`; try to build its middle chunk.

    The files of the targets of `project` are tried, too, if it is given.

    Raises:
        SpecError: A generator cannot fulfil the spec, or a target cannot represent the world.
    """
    middle = world.columns // 2, world.rows // 2
    rounds = world.surveys()
    known: Surveyed = {}
    for names in rounds:
        result = world.survey(names, world.window(*middle), known)
        known = {**known, **world.settle(names, result, known)}
    level = world.part(*middle, known)
    warnings = _checked_targets(world, level, project) if project is not None else ()
    plan = WorldLayout(
        world.columns, world.rows, tuple(rounds), world.size, world.chunk, world.reach
    )
    return UnitOutput(WorldFindings(plan), warnings=warnings)


def _checked_targets(
    world: World, level: Level, project: Project
) -> tuple[tuple[ProjectTarget, str | Notice], ...]:
    """Return the targets' warnings about the files of `world`.

    Raises:
        SpecError: A target cannot represent the world.
    """
    from exporter.targets import TARGETS, SharedWork

    problems: list[Problem] = []
    warnings: list[tuple[ProjectTarget, str | Notice]] = []
    shared = SharedWork()
    for target in project.targets:
        position = posixpath.normpath(target.options.path)
        check = TARGETS.get(target.engine).check_world
        try:
            reported = _export(world, level, project, target, position, check, shared)
        except SpecError as error:
            problems += error.problems
        else:
            warnings += [(target, warning) for warning in reported.warnings]
    if problems:
        raise SpecError(problems)
    return tuple(warnings)


def survey_row(
    world: World, unit: WorldUnit, identity: str, cache: Cache
) -> tuple[UnitOutput, str, bytes]:
    """Survey a row of chunks, or read the result from the cache.

    Args:
        world: The world.
        unit: The row, the surveys to run, and the survey results so far.
        identity: The hash of the exporter's code.
        cache: The cached results.

    Returns:
        The output, and the key and bytes to store in the cache; key and bytes are empty if the
        cache has the result.

    Raises:
        SpecError: A generator cannot fulfil the spec.
    """
    from exporter.build.world_surveys import decode_surveyed, encode_surveyed, joined_surveys

    before = encode_surveyed(unit.known).decode()
    words = json.dumps([world.chunk, unit.row, unit.survey, before])
    key = stage_key("world survey", identity, world.key, words)
    data = cache.load(key)
    if data is not None:
        try:
            return UnitOutput(WorldFindings(surveyed=decode_surveyed(data))), "", b""
        except ValueError:
            pass  # not written by us: survey again
    result: Surveyed = {}
    for column in range(world.columns):
        window = world.window(column, unit.row)
        result = joined_surveys(result, world.survey(unit.survey, window, unit.known))
    return UnitOutput(WorldFindings(surveyed=result)), key, encode_surveyed(result)


def make_files(world: World, unit: WorldUnit, project: Project) -> UnitOutput:
    """Make the files of a chunk, or of a whole world, for all targets.

    `unit` names the chunk; for files of the whole world it names the middle chunk, which represents
    all.

    Raises:
        SpecError: A generator or a target cannot fulfil the spec.
    """
    from exporter.build.shortfalls import shortfalls
    from exporter.export.world_reports import part_layers, part_objects, world_layers
    from exporter.targets import TARGETS, SharedWork

    level = world.part(unit.column, unit.row, unit.known, unit.grounds)
    files: list[File] = []
    warnings: list[tuple[ProjectTarget, str | Notice]] = []
    shared = SharedWork()
    for target in project.targets:
        engine = TARGETS.get(target.engine)
        export = engine.export_world if unit.kind == "whole" else engine.export_part
        position = posixpath.normpath(target.options.path)
        exported = _export(world, level, project, target, position, export, shared)
        files += files_of(exported, target.name, position)
        warnings += [(target, warning) for warning in exported.warnings]
    done = UnitOutput(WorldFindings(), tuple(files), tuple(warnings))
    if unit.kind == "whole":
        names = dict.fromkeys(item.name for item in world.spec.objects)
        none = {name: {"asked": 0, "placed": 0} for name in names}
        return replace(
            done,
            # In every chunk, the region report of a layer is that of the world.
            problems=tuple(shortfalls(world.spec, level.layers, (), {})),
            layers=world_layers(world, level, unit.known),
            objects=none,
        )
    return replace(done, layers=part_layers(level), objects=part_objects(level))


def memory_used() -> int:
    """Return the peak memory of this process in bytes; 0 if unknown."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _export(
    world: World,
    level: Level,
    project: Project,
    target: ProjectTarget,
    position: str,
    export: Callable[..., Exported],
    shared: SharedWork,
) -> Exported:
    from exporter.export.game_folder import GameFolder
    from exporter.targets import TARGETS

    engine = TARGETS.get(target.engine)
    game = GameFolder(project.root, position, engine, world.files_of_games())
    try:
        return export(level, target.options, position, shared.within(game))
    except LevelError as error:
        reported = [world.spec.problem(item.path, item.message) for item in (error, *error.others)]
        raise SpecError(reported) from None
    except ParameterError as error:
        raise SpecError([target.problem(error.message, error.path)]) from None
