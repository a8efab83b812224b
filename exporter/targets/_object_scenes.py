"""Find the scenes of a Godot project that replace objects and tiles."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache, partial

from exporter.formats.godot.object_scenes import (
    ENDINGS,
    ObjectScene,
    agent_reach,
    circle_of,
    read_object_scene,
)
from exporter.formats.godot.tile_cells import tiles_as_scenes
from exporter.formats.godot.uid import godot_uid
from exporter.formats.godot.values import RESOURCES
from exporter.model.errors import LevelError, ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.property_values import type_and_content
from exporter.targets._target import Notice
from exporter.targets._work import GameFiles, SharedWork

_OPTION = "scenes"
# A level loads slowly if one scene replaces more tiles than this.
_MOST_INSTANCES = 4096
# Characters that file names do not have on every system.
_REFUSED = re.compile(r'[\\:*?"<>|\x00-\x1f]')


@dataclass(frozen=True, slots=True, eq=False)
class LevelScenes:
    """The game's scenes for a level's objects and tiles, with warnings.

    The keys of `scenes` are scene names of objects (`PlacedObject.called`) and names of tiles.
    """

    scenes: Mapping[str, ObjectScene]
    notices: tuple[Notice, ...]

    def paths(self, level: Level) -> tuple[str, ...]:
        """Return the paths of the scenes, and of resources that objects pass them."""
        scenes = tuple(scene.resource.path for scene in self.scenes.values())
        return (*scenes, *(path for _, path in self._resources(level)))

    def check_resources(self, level: Level, game: GameFiles) -> None:
        """Check that `game` has each resource that objects pass to their scenes.

        Godot cannot load a scene that lacks a resource.

        Raises:
            LevelError: Resources are missing. The error names, for each, the property in the spec.
        """
        errors = [
            LevelError(f"{path} is not in the game (correct the path, or put the file there)", at)
            for at, path in self._resources(level)
            if path.startswith(RESOURCES) and not game.has(path.removeprefix(RESOURCES))
        ]
        if errors:
            raise LevelError(errors[0].message, errors[0].path, tuple(errors[1:]))

    def _resources(self, level: Level) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Yield each resource that an object passes to its scene.

        A resource is yielded as the path of the object's property in the spec, and its own path.
        """
        seen: set[tuple[int | None, str]] = set()
        for thing in level.objects:
            called = thing.called(self.scenes)
            variables = self.scenes[called].variables if called is not None else {}
            for name, value in thing.properties.items():
                if name not in variables or (thing.entry, name) in seen:
                    continue
                seen.add((thing.entry, name))
                at = ("objects", thing.entry or 0, "properties", name)
                for entry in value if isinstance(value, list) else [value]:
                    kind, content = type_and_content(entry)
                    if kind == "resource":
                        yield at, content


def object_scenes(
    level: Level, chosen: Mapping[str, str], position: str, shared: SharedWork
) -> LevelScenes:
    """Read the game's scenes for the objects and tiles of `level`.

    If a scene is missing, there is a warning; its objects become markers, and its tiles are drawn.
    `chosen` has the paths of scenes, by the scene names of objects and the names of tiles.
    `position` is the target folder, relative to the project.

    Raises:
        ParameterError: A path leads out of the game, or names a file that is not a scene, or the
            level's own scene, or a scene that contains itself.
    """
    names = dict.fromkeys(thing.called(chosen) for thing in level.objects)
    names |= dict.fromkeys(tiles_as_scenes(level, chosen))
    expected = tuple((name, chosen[name]) for name in names if name is not None)
    if not expected:
        return LevelScenes({}, ())
    # The folder identifies the game: other targets may lie in other games.
    key = ("scenes of objects", position, expected)
    return shared.once(key, partial(_read_all, level, dict(expected), position, shared.game))


def check_hook(path: str | None, game: GameFiles) -> None:
    """Check that Godot can call `path`, the script of the game to run.

    `path` is the option `after_export`; nothing is checked if it is None.

    Raises:
        ParameterError: The game lacks the script, the script lacks the function `after_export`, or
            it is not a tool script.
    """
    at = ("after_export",)
    if path is None:
        return
    if not re.fullmatch(r"res://[^\\:*?\"<>|\x00-\x1f]+\.gd", path) or "/../" in path:
        raise ParameterError(
            f"{path!r} is not a script of the game (as in res://tools/hook.gd)", at
        )
    content = game.read(path.removeprefix(RESOURCES)).decode("utf-8", "replace")
    if re.search(r"^(?:static )?func after_export\(", content, re.MULTILINE) is None:
        raise ParameterError(
            f"{path} lacks the function `after_export` (add `func after_export(root: Node) -> "
            "void:`)",
            at,
        )
    if not content.removeprefix("\ufeff").lstrip().startswith("@tool"):
        raise ParameterError(
            f"{path} is not a tool script, so the editor cannot run it at import (write `@tool` "
            "as its first line)",
            at,
        )


def agent_reaches(
    chosen: Mapping[str, str], position: str, shared: SharedWork
) -> Mapping[str, float]:
    """Return how far each agent's body reaches from its origin, in pixels.

    An agent is a scene with a NavigationAgent2D; the keys are the scenes' paths. `chosen` has the
    paths of scenes as values, `position` is the target folder.
    """

    def read_all() -> dict[str, float]:
        read = cache(shared.game.read)
        reaches = ((path, agent_reach(path, read)) for path in paths)
        return {path: reach for path, reach in reaches if reach is not None}

    paths = tuple(dict.fromkeys(chosen.values()))
    if not paths:
        return {}
    return shared.once(("agents of scenes", position, paths), read_all)


def _read_all(
    level: Level, expected: Mapping[str, str], position: str, game: GameFiles
) -> LevelScenes:
    read = cache(game.read)
    scenes: dict[str, ObjectScene] = {}
    notices: list[Notice] = []
    tiles = tiles_as_scenes(level, expected)
    own = {godot_uid(position, f"{level.name}.{suffix}") for suffix in ("tscn", "lvb")}

    def is_level(path: str, uid: str) -> bool:
        return uid in own or path.endswith(f"/{level.name}.lvb")

    for name, path in expected.items():
        at = (_OPTION, name)
        _check_path(path, at)
        try:
            content = read(path.removeprefix(RESOURCES))
        except ParameterError as error:
            other = name.partition("/")[0]
            instead = f"have the scene of {other!r}" if other in expected else "are markers"
            if other == name:
                instead = "are markers"
            message = f"{error.message}: the objects {name!r} {instead} until it is there"
            if name in tiles:
                message = f"{error.message}: the tiles {name!r} are drawn until it is there"
            notices.append(Notice(message, at))
            continue
        try:
            scene = read_object_scene(path, content, read)
        except ValueError as error:
            raise ParameterError(f"{path!r} cannot be used for objects: {error}", at) from None
        if is_level(path, scene.resource.uid):
            raise ParameterError(f"{path!r} is the scene of this level (name another scene)", at)
        circle = circle_of(path, is_level, read)
        if circle:
            way = " to ".join(circle)
            raise ParameterError(f"{path!r} would contain itself: {way}", at)
        scenes[name] = scene
        notices += [Notice(message, at) for message in _doubts(level, expected, name, path, scene)]
        if tiles.get(name, 0) > _MOST_INSTANCES:
            message = (
                f"{path} replaces {tiles[name]:,} tiles {name!r}, and so many instances load "
                "slowly (leave it out, so that they are drawn, or place objects of that name with "
                f"`on_tile: {name}`)"
            )
            notices.append(Notice(message, at))
    return LevelScenes(scenes, tuple(notices))


def _check_path(path: str, at: tuple[str, ...]) -> None:
    if not path.startswith(RESOURCES):
        raise ParameterError(f"{path!r} is not a path in the game (begin it with {RESOURCES})", at)
    name = path.removeprefix(RESOURCES)
    if any(part in ("", ".", "..") for part in name.split("/")) or _REFUSED.search(name):
        raise ParameterError(
            f"{path!r} is not a path in the game (allowed: {RESOURCES} and names of folders and "
            "a file, without '..')",
            at,
        )
    if posixpath.splitext(path)[1].lower() not in ENDINGS:
        raise ParameterError(f"{path!r} is not a scene (allowed endings: {', '.join(ENDINGS)})", at)


def _doubts(
    level: Level, names: Mapping[str, str], name: str, path: str, scene: ObjectScene
) -> list[str]:
    """Return warnings about `scene`, which replaces the objects called `name`.

    They are that instances have no position, or that variables may not be set. `names` has the
    names of all objects and tiles with a scene; `path` is the scene's file.
    """
    reported = []
    if not scene.placed:
        reported.append(
            f"the root of {path} is a {scene.root_class}, which has no position in 2D: its "
            "instances are not put into their cells"
        )
    unset = sorted(
        {
            key
            for thing in level.objects
            for key, value in thing.properties.items()
            if thing.called(names) == name and value is not None and key not in scene.variables
        }
    )
    if scene.unknown_base and unset:
        reported.append(
            f"the script of {path} extends {scene.unknown_base}, whose file is not found beside "
            f"it or above (extend it by its path): if it has {' or '.join(map(repr, unset))}, "
            "these variables are not set"
        )
    return reported
