"""Godot's scenes as text, and their nodes read back with regular expressions."""

from __future__ import annotations

import re
from typing import Any

from exporter.formats.godot.options import SceneOptions
from exporter.formats.godot.scene import SceneSource, level_scene
from exporter.formats.godot.scene_tiles import SheetTiles
from exporter.formats.godot.tscn import tscn
from exporter.formats.godot.uid import godot_uid
from exporter.formats.godot.values import ExternalResource
from exporter.model.level import Level
from exporter.tilesets import level_tileset


def sheet_tiles_of(level: Level) -> SheetTiles:
    """The tiles of a level as in its own TileSet."""
    file = f"{level.name}.tileset.tres"
    uid = godot_uid("levels", file)
    return SheetTiles(level_tileset(level), ExternalResource("TileSet", file, uid))


def source_of(level: Level, heights: dict[str, str] | None = None, **options: Any) -> SceneSource:
    """The input of a level's scenes."""
    chosen = SceneOptions(**options)
    return SceneSource(level, sheet_tiles_of(level), chosen, "levels", heights or {})


def scene_text(level: Level, heights: dict[str, str] | None = None, **options: Any) -> str:
    """The text of the main scene."""
    return tscn(level_scene(source_of(level, heights, **options))).decode()


def nodes(text: str) -> dict[str, dict[str, str]]:
    """Return the entries of every node by its path, the heading's attributes among them."""
    result: dict[str, dict[str, str]] = {}
    for part in re.split(r"^(?=\[)", text, flags=re.MULTILINE):
        heading = re.match(r"\[node (.*)\]\n", part)
        if heading:
            entries = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', heading[1]))
            parent = entries.get("parent", "")
            path = entries["name"] if parent in ("", ".") else f"{parent}/{entries['name']}"
            assert path not in result
            entries |= dict(re.findall(r"^([\w/]+) = (.*)$", part, re.MULTILINE))
            result[path] = entries
    return result


def resources(text: str) -> dict[str, dict[str, str]]:
    """Return the entries of every resource inside a file by its id, its type among them."""
    result: dict[str, dict[str, str]] = {}
    for part in re.split(r"^(?=\[)", text, flags=re.MULTILINE):
        heading = re.match(r'\[sub_resource type="(\w+)" id="(\w+)"\]\n', part)
        if heading:
            entries = dict(re.findall(r"^([\w/]+) = (.*)$", part, re.MULTILINE))
            result[heading[2]] = {"type": heading[1], **entries}
    return result
