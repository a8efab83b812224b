"""Add layers of the generator `stamp`: of drawn cells, or of a piece.

A stamp of drawn cells is a drawing of characters, which can be read and changed in the spec. It
replaces the hand edits at the same stage of the build, and everything that read the layer reads the
stamp. So the level stays the same, except for the layer's own `require`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exporter.handmade.legend import MAXIMUM_ART_SIDE, USUAL_GLYPHS, USUAL_TILES
from exporter.model.errors import ExporterError
from exporter.model.level import Tile
from exporter.model.parameters import NAME_PATTERN
from exporter.reading.changes import Change, Insert, Remove
from exporter.reading.edits import CellEdit
from exporter.reading.layer_names import redirected_layer, renamed_layer
from exporter.reading.reader import parse_level
from exporter.reading.yaml_reader import read_document
from exporter.studio.drafts import Draft
from exporter.studio.generated_level import GeneratedLevel
from exporter.studio.hand import Cell, Redrawn

_NAME = re.compile(NAME_PATTERN)
_NAME_RULE = "(1 to 64 letters, digits, `_` and `-`, beginning with a letter or a digit)"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSUVWXYZ0123456789"
EMPTY = "empty"


def stamped(
    draft: Draft, name: str, ground: GeneratedLevel, file: str, folder: Path
) -> tuple[tuple[Change, ...], Redrawn]:
    """Return the changes that move a layer's drawn cells into a new layer.

    The generator of the new layer is `stamp`. The second value is the step that removes the hand
    edits.

    Args:
        draft: The draft.
        name: The name of the layer that was drawn on.
        ground: The level without hand edits.
        file: The spec's name for messages.
        folder: The folder that file names in the spec are relative to.

    Raises:
        SpecError: The spec has faults.
        ExporterError: No cells are drawn, or no stamp can represent them.
    """
    layer = ground.layers.get(name)
    edits = draft.hand.layers.get(name, {})
    if layer is None or not edits:
        raise ExporterError(f"nothing is drawn on the layer {name[:80]!r} (draw cells first)")
    if layer.kind != "tiles":
        raise ExporterError(
            f"{name!r} cannot become a stamp, because it is a height layer and stamps are made of "
            "tiles (its edits are kept)"
        )
    if layer.size != ground.size:
        raise ExporterError(
            f"{name!r} cannot become a stamp, because its size is not the level's (its edits "
            "are kept)"
        )
    width, height = ground.size
    remaining = {(x, y): item for (x, y), item in edits.items() if x < width and y < height}
    if not remaining:
        raise ExporterError(f"everything drawn on {name!r} is outside the level (draw inside it)")
    names = {at: EMPTY if edit.now is None else str(edit.now) for at, edit in remaining.items()}
    stamp = drawn_stamp(names, {tile.name: tile for tile in layer.tiles})
    new = f"{re.sub('_drawn(_[0-9]+)?$', '', name)[:50]}_drawn"
    changes = placed_stamp(draft, name, new, stamp, file, folder)
    return changes, Redrawn(cells={(name, at): None for at in remaining})


def placed_stamp(
    draft: Draft, of: str, name: str, stamp: Mapping[str, Any], file: str, folder: Path
) -> tuple[Change, ...]:
    """Return the changes that place a piece on a layer, in a new layer.

    Whatever read the layer reads the new one instead.

    Args:
        draft: The draft.
        of: The name of the layer below.
        name: The preferred name of the new layer.
        stamp: The parameters `art`, `glyphs` and `at` of the generator `stamp`.
        file: The spec's name for messages.
        folder: The folder that file names in the spec are relative to.

    Raises:
        SpecError: The spec has faults.
        ExporterError: The layer is missing, or the name is invalid.
    """
    spec = parse_level(draft.content, file, folder)
    document = read_document(draft.content, file)
    layers = document.data["layers"]
    if of not in spec.layers:
        raise ExporterError(f"the layer {of[:80]!r} no longer exists (choose another layer)")
    if _NAME.fullmatch(name) is None:
        raise ExporterError(f"{name[:80]!r} is no name for a layer {_NAME_RULE}")
    new = _free_name(name, layers)
    value: dict[str, Any] = {"generator": "stamp", "of": of, **stamp}
    changes: list[Change] = [*redirected_layer(spec, of, new)]
    role = layers[of].get("role")
    if role is not None:
        value["role"] = role
        if role in ("play", "picture"):
            changes.append(Remove(("layers", of, "role")))
    position = list(layers).index(of) + 1
    wording = _wording(new, value, document.keys["layers", of].column)
    changes.append(Insert(("layers", new), value, position, wording))
    return tuple(changes)


def renamed(
    draft: Draft, old: str, new: str, file: str, folder: Path
) -> tuple[tuple[Change, ...], Redrawn]:
    """Return the changes that rename the layer `old` to `new`.

    These are the changes of the spec, and those of the hand edits of `draft`. `file` is the spec's
    name for messages, `folder` the folder that file names in the spec are relative to.

    Raises:
        SpecError: The spec has faults.
        ExporterError: The layer is missing, or the name is invalid or taken.
    """
    spec = parse_level(draft.content, file, folder)
    if old not in spec.layers:
        raise ExporterError(f"there is no layer {old[:80]!r}")
    if _NAME.fullmatch(new) is None:
        raise ExporterError(f"{new[:80]!r} is no name for a layer {_NAME_RULE}")
    if new == old:
        return (), Redrawn()
    if new in spec.layers:
        raise ExporterError(f"there is a layer {new!r} already (take another name)")
    edits = draft.hand.layers.get(old, {})
    cells: dict[tuple[str, Cell], CellEdit | None] = {(old, at): None for at in edits}
    cells |= {(new, at): None for at in draft.hand.layers.get(new, {})}
    cells |= {(new, at): item for at, item in edits.items()}
    return renamed_layer(spec, old, new), Redrawn(cells=cells)


def _free_name(name: str, layers: Mapping[str, Any]) -> str:
    first = name[:56]
    number, result = 2, first
    while result in layers:
        result, number = f"{first}_{number}", number + 1
    return result


def drawn_stamp(names: Mapping[Cell, str], known: Mapping[str, Tile]) -> dict[str, Any]:
    """Return the parameters of a layer `stamp` that draws the given cells.

    They are `art` (a drawing in characters, the smallest rectangle around the cells), `glyphs` (for
    tiles without their usual character) and `at` (the upper left corner). `names` has the
    tile name of each cell, `empty` for a cell without a tile; `known` has the tiles by name.

    Raises:
        ExporterError: A drawing cannot represent these cells.
    """
    left, top = min(x for x, _ in names), min(y for _, y in names)
    width = max(x for x, _ in names) - left + 1
    height = max(y for _, y in names) - top + 1
    if max(width, height) > MAXIMUM_ART_SIDE:
        raise ExporterError(
            f"the drawing spans {width} x {height} cells, and a stamp has at most "
            f"{MAXIMUM_ART_SIDE} x {MAXIMUM_ART_SIDE} (its edits stay)"
        )
    glyphs = tile_glyphs([*names.values()], known)
    rows = [[" "] * width for _ in range(height)]
    for (x, y), name in names.items():
        rows[y - top][x - left] = glyphs[name]
    art = "".join("".join(row).rstrip() + "\n" for row in rows)
    stamp: dict[str, Any] = {"art": art}
    usual = _usual_glyphs()
    own = {glyph: _tile(name, known) for name, glyph in glyphs.items() if usual.get(name) != glyph}
    if own:
        stamp["glyphs"] = own
    stamp["at"] = [[left, top]]
    return stamp


def _wording(name: str, stamp: Mapping[str, Any], column: int) -> str:
    """Return the YAML of a stamp layer, with its drawing on several lines.

    `stamp` has the values of the layer `name`. `column` is how far names of layers are indented in
    the spec: values are indented by two more, the first line not at all, since it is inserted
    there.
    """
    inner = " " * (column + 2)
    lines = [f"{json.dumps(name) if name.isdigit() else name}:"]
    for key, value in stamp.items():
        if key == "art":
            lines.append(f"{inner}art: |2")
            lines += [f"{inner}  {row}".rstrip() for row in value.splitlines()]
        elif isinstance(value, str):
            lines.append(f"{inner}{key}: {value}")
        else:
            lines.append(f"{inner}{key}: {json.dumps(value)}")
    return "\n".join(lines)


def tile_glyphs(names: list[str], known: Mapping[str, Tile]) -> dict[str, str]:
    """Return a character for each tile name, by which drawings show the tile.

    This is the usual character of the tile, the first letter of its name, or any other. `known` has
    the tiles of the layer, by name.

    Raises:
        ExporterError: A name is not in `known`, or no character is left.
    """
    usual = _usual_glyphs()
    result: dict[str, str] = {}
    for name in dict.fromkeys(names):
        if _NAME.fullmatch(name) is None:
            raise ExporterError(
                f"the tile name {name[:80]!r} cannot be written in a spec (rename the tile)"
            )
        free = [
            item for item in (name[0], *_LETTERS) if item not in result.values() and item != "T"
        ]
        if name in usual:
            result[name] = usual[name]
        elif name in known or name == EMPTY:
            if not free:
                raise ExporterError(
                    "the edits use too many kinds of tiles for one stamp, which has one letter or "
                    "digit for each (draw fewer kinds; the edits are kept)"
                )
            result[name] = free[0]
        else:
            raise ExporterError(f"the layer has no tile {name!r} (the edit stays in the file)")
    return result


def _usual_glyphs() -> dict[str, str]:
    return {options.name: glyph for glyph, options in USUAL_GLYPHS.items()}


def _tile(name: str, known: Mapping[str, Tile]) -> dict[str, Any]:
    """Return the tile `name` as written in a spec, independent of its layer."""
    tile = known[name] if name in known else USUAL_TILES[name]
    result: dict[str, Any] = {"name": name}
    if not tile.walkable:
        result["walkable"] = False
    if tile.opaque:
        result["opaque"] = True
    if tile.color is not None:
        result["color"] = tile.color
    return result
