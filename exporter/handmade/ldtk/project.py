"""Read an LDtk project, and choose its worlds and levels."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from fnmatch import fnmatchcase

from exporter.handmade.ldtk.definitions import Definitions, read_definitions
from exporter.handmade.ldtk.values import SAVE_AGAIN, Value, read_json
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.suggestions import unknown_name

ReadFile = Callable[[str], bytes]

# Levels of one project, whose files may be separate.
MAXIMUM_LEVELS = 4096
# Names that one message lists.
LISTED = 20
LINEAR = {"LinearHorizontal": (1, 0), "LinearVertical": (0, 1)}


@dataclass(frozen=True, slots=True, eq=False)
class LdtkLevel:
    """A level of an LDtk project, with its position and size in pixels.

    Attributes:
        name: The level's identifier.
        iid: LDtk's unique identifier of the level, which survives renaming.
        x: Column of the left edge in the world.
        y: Row of the upper edge in the world.
        depth: The level's world depth in LDtk.
        width: Width of the level.
        height: Height of the level.
        value: The level's JSON in the project.
        file: The separate file with its layers, relative to the project; empty without one.
    """

    name: str
    iid: str
    x: int
    y: int
    depth: int
    width: int
    height: int
    value: Value
    file: str = ""


@dataclass(frozen=True, slots=True)
class LdtkWorld:
    """A world: levels side by side, with names of their own.

    `name` may be "" if it is the only world; `iid` is LDtk's unique identifier.
    """

    name: str
    iid: str
    levels: tuple[LdtkLevel, ...]


@dataclass(frozen=True, slots=True)
class LdtkProject:
    """An LDtk project: its definitions and worlds.

    Attributes:
        name: The path of the project's file, relative to the spec.
        version: The version of the format, as LDtk writes it.
        definitions: The definitions of layers, tilesets and entities.
        worlds: The worlds, in the order of the file.
        read_file: Reads a file by its path relative to the spec.
    """

    name: str
    version: str
    definitions: Definitions
    worlds: tuple[LdtkWorld, ...]
    read_file: ReadFile = field(compare=False)

    @property
    def levels(self) -> tuple[LdtkLevel, ...]:
        """The levels of all worlds."""
        return tuple(level for world in self.worlds for level in world.levels)

    def layer_instances(self, level: LdtkLevel) -> Value:
        """Return the JSON of the layers of `level`, maybe from a separate file.

        Raises:
            ParameterError: The level has no layers, or the file cannot be read.
        """
        inside = level.value.optional("layerInstances")
        if inside is not None:
            return inside
        if not level.file:
            raise ParameterError(f"{level.value.path} has neither layers nor a separate file")
        folder, slash, _ = self.name.rpartition("/")
        path = f"{folder}{slash}{level.file}"
        separate = read_json(self.read_file(path), path)
        if separate.key("iid").text() != level.iid:
            raise ParameterError(
                f"{path} is the file of another level, not of {level.name!r} (save the project in "
                "LDtk again)"
            )
        return separate.key("layerInstances")


def read_project(content: bytes, name: str, read_file: ReadFile) -> LdtkProject:
    """Read the project file `name`, with the bytes `content`.

    `name` is relative to the spec, as are the paths of other files, which `read_file` reads.

    Raises:
        ParameterError: The file is no project of LDtk 1.0 or later, or is broken.
    """
    document = read_json(content, name)
    version = _version(document, name)
    definitions = read_definitions(document)
    several = document.optional("worlds")
    if several is not None and several.values():
        worlds = tuple(_world(item) for item in several.items())
    else:
        layout = document.key("worldLayout").text()
        worlds = (LdtkWorld("", "", _levels(document.key("levels"), layout)),)
    project = LdtkProject(name, version, definitions, worlds, read_file)
    if len(project.levels) > MAXIMUM_LEVELS:
        raise ParameterError(f"{name} has {len(project.levels)} levels (allowed: {MAXIMUM_LEVELS})")
    return project


def _version(document: Value, name: str) -> str:
    """Return the format version of a project; refuse all but 1.x."""
    header = document.content.get("__header__") if isinstance(document.content, dict) else None
    if isinstance(header, dict) and header.get("fileType") == "LDtk Level JSON":
        raise ParameterError(
            f"{name} is a single level that LDtk saved separately (name the project's `.ldtk` "
            "file, and the level with `level`)"
        )
    version = document.optional("jsonVersion") if isinstance(document.content, dict) else None
    text = version.content if version is not None and isinstance(version.content, str) else ""
    result = re.match(r"(\d{1,4})\.(\d{1,4})", text)
    if result is None:
        raise ParameterError(f"{name} is not an LDtk project: it has no `jsonVersion`")
    if int(result[1]) != 1:
        raise ParameterError(
            f"{name} was saved by LDtk {text[:20]}, which cannot be read (allowed: 1.0 to below "
            f"2; {SAVE_AGAIN})"
        )
    return text


def _world(value: Value) -> LdtkWorld:
    name = value.key("identifier").text()
    layout = value.key("worldLayout").text()
    return LdtkWorld(name, value.key("iid").text(), _levels(value.key("levels"), layout))


def _levels(values: Value, layout: str) -> tuple[LdtkLevel, ...]:
    """Read the levels of a world.

    In a linear `layout` levels have no position; they are placed in a row or a column.
    """
    levels = []
    across, down = LINEAR.get(layout, (0, 0))
    x = y = 0
    for value in values.items():
        width = value.key("pxWid").integer(1)
        height = value.key("pxHei").integer(1)
        if layout not in LINEAR:
            x, y = value.key("worldX").integer(), value.key("worldY").integer()
        file, depth = value.optional("externalRelPath"), value.optional("worldDepth")
        levels.append(
            LdtkLevel(
                name=value.key("identifier").text(),
                iid=value.key("iid").text(),
                x=x,
                y=y,
                depth=0 if depth is None else depth.integer(),
                width=width,
                height=height,
                value=value,
                file="" if file is None else file.text().replace("\\", "/"),
            )
        )
        x, y = x + across * width, y + down * height
    return tuple(levels)


def chosen_level(project: LdtkProject, expected: str | None) -> LdtkLevel:
    """Return the level whose name or iid is `expected`; for None the only one.

    Raises:
        ParameterError: No such level, or `expected` is None and there are several; its path is the
            parameter `level`. Its path is `file` if the project has no levels.
    """
    levels = project.levels
    names = [level.name for level in levels]
    if expected is None:
        if len(levels) == 1:
            return levels[0]
        if not levels:
            raise ParameterError(f"{project.name} has no levels", ("file",))
        raise ParameterError(
            f"{project.name} has {len(levels)} levels (write `level` with the name of one of "
            f"them: {listed(names)}; or `world: true` for all)",
            ("level",),
        )
    for level in levels:
        if expected in (level.name, level.iid):
            return level
    raise ParameterError(unknown_name("level", expected, names[:LISTED]), ("level",))


def matching_levels(project: LdtkProject, pattern: str) -> list[LdtkLevel]:
    """Return the levels whose name matches `pattern`, with `*` and `?`.

    A level whose iid (LDtk's identifier) is `pattern` matches, too.

    Raises:
        ParameterError: No level matches; its path is the parameter `level`.
    """
    result = [
        level
        for level in project.levels
        if pattern == level.iid or fnmatchcase(level.name, pattern)
    ]
    if not result:
        names = listed([level.name for level in project.levels])
        raise ParameterError(
            f"{project.name} has no level called {pattern!r} (it has: {names})", ("level",)
        )
    return result


def chosen_world(project: LdtkProject, expected: str | None) -> LdtkWorld:
    """Return the world whose name or iid is `expected`.

    For None, return the only world with levels.

    Raises:
        ParameterError: No such world, or `expected` is None and there are several; its path is the
            parameter `world`.
    """
    if expected is None:
        able = [world for world in project.worlds if world.levels]
        if len(able) == 1:
            return able[0]
        if not able:
            raise ParameterError(f"{project.name} has no levels", ("file",))
        raise ParameterError(
            f"{project.name} has several worlds (write `world` with the name of one of them: "
            f"{listed([world.name for world in able])})",
            ("world",),
        )
    for world in project.worlds:
        if expected and expected in (world.name, world.iid):
            return world
    names = [world.name for world in project.worlds if world.name]
    hint = "" if names else "; it has one world without a name: write `world: true`"
    raise ParameterError(unknown_name("world", expected, names) + hint, ("world",))


def listed(names: list[str]) -> str:
    """Join `names` with commas for a message; count those after the first few."""
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
