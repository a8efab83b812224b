"""Read a Godot TileSet (`.tres`) that a team made.

Only the needed parts are read: positions of tiles in their sources, alternatives, names, weights
and terrains, and the layers of physics, navigation and light. Keys are those of Godot 4.3 to 4.6.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Callable
from typing import Any

from exporter.formats.godot.peering import (
    DIAMOND_DOWN,
    ISOMETRIC,
    ISOMETRIC_PEERING_BITS,
    PEERING_BITS,
)
from exporter.formats.godot.resource_text import (
    Call,
    ResourceSection,
    ResourceTextError,
    read_sections,
)
from exporter.formats.godot.team_tileset import (
    FLIP_H,
    FLIP_V,
    LARGEST_POSITION,
    TRANSPOSE,
    AtlasSource,
    GodotTeamTileset,
    TerrainSet,
    TileFacts,
    TilesetError,
)
from exporter.formats.godot.values import RESOURCES
from exporter.model.limits import MAXIMUM_PIXELS
from exporter.tilesets.terrain_match import Matching

LARGEST_TILE = 512
_MOST_SOURCES = 256
_MODES: tuple[Matching, ...] = ("corners and sides", "corners", "sides")
_TILE = re.compile(r"([0-9]{1,5}):([0-9]{1,5})/([0-9]{1,5})(?:/(.+))?")
_SIZE = re.compile(r"([0-9]{1,5}):([0-9]{1,5})/size_in_atlas")


def read_tileset(
    content: bytes,
    path: str,
    read_file: Callable[[str], bytes],
    diamond: tuple[int, int] | None = None,
) -> GodotTeamTileset:
    """Read a TileSet that a team made.

    `content` is the content of its file, and `path` the file's path, as `res://...`. `read_file`
    reads another file by its path relative to the game. `diamond` is width and height of isometric
    cells in pixels; None for square cells.

    Raises:
        TilesetError: The file is not a TileSet, is broken, or has tiles of another shape.
        ParameterError: A source in another file cannot be read.
    """
    try:
        return _tileset(read_sections(content), path, read_file, diamond)
    except ResourceTextError as error:
        raise TilesetError(f"{path} cannot be read: {error}") from None


def game_file(path: str, beside: str) -> str | None:
    """Resolve `path`, named in the file `beside`, to a file of the game.

    `path` begins with `res://`, or is relative to `beside`; `beside` and the result are relative to
    the game. None if the file is outside of the game.
    """
    if path.startswith(RESOURCES):
        inside = path.removeprefix(RESOURCES)
    elif "://" in path:
        return None
    else:
        inside = posixpath.join(posixpath.dirname(beside), path)
    inside = posixpath.normpath(inside)
    return None if inside.startswith(("../", "/")) or inside in ("..", ".") else inside


class _TilesetResources:
    """The resources of a TileSet's file, inside it and in other files."""

    def __init__(
        self, sections: list[ResourceSection], path: str, read_file: Callable[[str], bytes]
    ) -> None:
        self.path = path
        self.read_file = read_file
        self.files: dict[str, tuple[str, str | None]] = {}
        self.inside: dict[str, ResourceSection] = {}
        beside = path.removeprefix(RESOURCES)
        for section in sections:
            name = str(section.attributes.get("id", ""))
            if section.tag == "ext_resource":
                named = section.attributes.get("path")
                file = game_file(named, beside) if isinstance(named, str) else None
                self.files[name] = str(section.attributes.get("type", "")), file
            elif section.tag == "sub_resource":
                self.inside[name] = section

    def source(self, reference: Any) -> tuple[ResourceSection, _TilesetResources] | None:
        """Return the resource that `reference` refers to; None if it is missing.

        With it come the resources of its file, to resolve its own references.
        """
        if not isinstance(reference, Call) or len(reference.arguments) != 1:
            return None
        name = str(reference.arguments[0])
        if reference.name == "SubResource" and name in self.inside:
            return self.inside[name], self
        _, file = self.files.get(name, ("", None))
        if reference.name != "ExtResource" or file is None:
            return None
        sections = read_sections(self.read_file(file))
        own = [section for section in sections if section.tag == "resource"]
        if not own:
            return None
        kind = sections[0].attributes.get("type")
        section = ResourceSection("resource", {"type": kind}, own[0].entries)
        return section, _TilesetResources(sections, RESOURCES + file, self.read_file)

    def picture(self, reference: Any) -> str | None:
        """Return the picture file that `reference` names, relative to the game.

        None if it names none, or one outside of the game.
        """
        if not isinstance(reference, Call) or len(reference.arguments) != 1:
            return None
        kind, file = self.files.get(str(reference.arguments[0]), ("", None))
        return file if reference.name == "ExtResource" and kind.endswith("Texture2D") else None


def _tileset(
    sections: list[ResourceSection],
    path: str,
    read_file: Callable[[str], bytes],
    diamond: tuple[int, int] | None,
) -> GodotTeamTileset:
    head = sections[0].attributes
    if head.get("type") != "TileSet":
        raise TilesetError(f"{path} is a {head.get('type')}, not a TileSet (name a TileSet)")
    own = next((section for section in sections if section.tag == "resource"), None)
    if own is None:
        raise TilesetError(f"{path} cannot be read: it has no [resource]")
    shape = _integer(own, "tile_shape", 0)
    width, height = _pair(own, "tile_size", (16, 16))
    if diamond is not None:
        _check_diamonds(own, path, diamond)
    elif shape:
        kind = {1: "isometric", 2: "half-offset", 3: "hexagonal"}.get(shape, "unknown")
        way_out = f" (write `grid: {{shape: isometric, cell: [{width}, {height}]}}`)"
        message = f"{path} has {kind} tiles, but levels have square ones"
        raise TilesetError(f"{message}{way_out if shape == 1 else ' (name another TileSet)'}")
    elif width != height:
        raise TilesetError(
            f"{path} has tiles of {width} x {height} pixels, but levels have square ones (name "
            "another TileSet)"
        )
    if not 1 <= width <= LARGEST_TILE:
        raise TilesetError(f"{path} has tiles of {width} pixels (allowed: 1 to {LARGEST_TILE})")
    uid = head.get("uid")
    return GodotTeamTileset(
        path,
        uid if isinstance(uid, str) and re.fullmatch(r"uid://[a-y0-8]{1,13}", uid) else "",
        width,
        _sources(own, _TilesetResources(sections, path, read_file), diamond is not None),
        _terrain_sets(own),
        tuple(
            zip(
                _masks(own, "physics_layer", "collision_layer"),
                _masks(own, "physics_layer", "collision_mask"),
                strict=True,
            )
        ),
        _masks(own, "navigation_layer", "layers"),
        _masks(own, "occlusion_layer", "light_mask"),
    )


def _check_diamonds(own: ResourceSection, path: str, diamond: tuple[int, int]) -> None:
    """Check that a TileSet has isometric tiles of size `diamond`.

    `own` is the section of the TileSet, `path` its file for messages.

    Raises:
        TilesetError: The tiles have another shape, size or layout.
    """
    width, height = _pair(own, "tile_size", (16, 16))
    if _integer(own, "tile_shape", 0) != ISOMETRIC:
        raise TilesetError(
            f"{path} has no isometric tiles (leave out `grid`, or set its Tile Shape to Isometric)"
        )
    if (width, height) != diamond:
        message = f"{path} has tiles of {width} x {height} pixels"
        raise TilesetError(f"{message} (write `cell: [{width}, {height}]` in `grid`)")
    down = _integer(own, "tile_layout", 0) == DIAMOND_DOWN
    if not down or _integer(own, "tile_offset_axis", 0):
        raise TilesetError(
            f"{path} has another layout than levels (in Godot set its Tile Layout to Diamond Down "
            "and its Tile Offset Axis to Horizontal)"
        )


def _sources(
    own: ResourceSection, resources: _TilesetResources, isometric: bool
) -> dict[int, AtlasSource | None]:
    sources: dict[int, AtlasSource | None] = {}
    name_key = _name_key(own)
    bits = ISOMETRIC_PEERING_BITS if isometric else PEERING_BITS
    for key in own.entries:
        number = re.fullmatch(r"sources/([0-9]{1,5})", key)
        if number is None:
            continue
        if len(sources) == _MOST_SOURCES:
            raise TilesetError(f"{resources.path} has more than {_MOST_SOURCES} sources")
        result = resources.source(own.value(key))
        atlas = result is not None and result[0].attributes.get("type") == "TileSetAtlasSource"
        sources[int(number.group(1))] = (
            _atlas(*result, name_key, bits) if result and atlas else None
        )
    return sources


def _atlas(
    section: ResourceSection, resources: _TilesetResources, name_key: str, bits: tuple[str, ...]
) -> AtlasSource:
    tiles: dict[tuple[int, int], dict[int, dict[str, str]]] = {}
    sizes: dict[tuple[int, int], tuple[int, int]] = {}
    for key, text in section.entries.items():
        result = _TILE.fullmatch(key)
        if result is not None:
            position = int(result.group(1)), int(result.group(2))
            if max(position) <= LARGEST_POSITION and int(result.group(3)) < FLIP_H:
                facts = tiles.setdefault(position, {}).setdefault(int(result.group(3)), {})
                facts[result.group(4) or ""] = text
        elif size := _SIZE.fullmatch(key):
            sizes[int(size.group(1)), int(size.group(2))] = _pair(section, key, (1, 1))
    texture = section.entries.get("texture")
    return AtlasSource(
        None if texture is None else resources.picture(section.value("texture")),
        _pair(section, "margins", (0, 0)),
        _pair(section, "separation", (0, 0)),
        _pair(section, "texture_region_size", (16, 16)),
        {
            position: {
                number: _facts(ResourceSection("tile", {}, entries), name_key, bits)
                for number, entries in alternatives.items()
                # Entries of a tile that does not exist are left over from a deleted one.
                if "" in entries
            }
            for position, alternatives in tiles.items()
            if "" in alternatives.get(0, {})
        },
        sizes,
    )


def _facts(tile: ResourceSection, name_key: str, bits: tuple[str, ...]) -> TileFacts:
    if len(tile.entries) == 1:
        return TileFacts()
    name = tile.value(name_key, "") if name_key else ""
    flips = ((FLIP_H, "flip_h"), (FLIP_V, "flip_v"), (TRANSPOSE, "transpose"))
    probability = tile.value("probability", 1.0)
    usable = isinstance(probability, int | float) and math.isfinite(probability)
    return TileFacts(
        max(float(probability), 0.0) if usable else 1.0,
        name if isinstance(name, str) else "",
        _integer(tile, "terrain_set", -1),
        _integer(tile, "terrain", -1),
        tuple(_integer(tile, f"terrains_peering_bit/{bit}", -1) for bit in bits),
        any(
            re.fullmatch(r"physics_layer_[0-9]+/polygon_[0-9]+/points", key) for key in tile.entries
        ),
        sum(bit for bit, key in flips if tile.value(key, False) is True),
    )


def _name_key(own: ResourceSection) -> str:
    """Return the key of a tile's custom data `name`, or "".

    It is "" if the TileSet `own` has no custom data layer of this name.
    """
    for key in own.entries:
        layer = re.fullmatch(r"custom_data_layer_([0-9]{1,4})/name", key)
        if layer is not None and own.value(key) == "name":
            return f"custom_data_{layer.group(1)}"
    return ""


def _terrain_sets(own: ResourceSection) -> tuple[TerrainSet, ...]:
    modes: dict[int, int] = {}
    names: dict[int, dict[int, str]] = {}
    for key in own.entries:
        result = re.fullmatch(r"terrain_set_([0-9]{1,3})/(?:mode|terrain_([0-9]{1,3})/name)", key)
        if result is None:
            continue
        number = int(result.group(1))
        if result.group(2) is None:
            modes[number] = _integer(own, key, 0)
        else:
            names.setdefault(number, {})[int(result.group(2))] = str(own.value(key))
    sets = []
    for number in range(max([*modes, *names], default=-1) + 1):
        mode, own_names = modes.get(number, 0), names.get(number, {})
        listed = tuple(own_names.get(index, "") for index in range(max(own_names, default=-1) + 1))
        sets.append(TerrainSet(_MODES[mode] if 0 <= mode < len(_MODES) else _MODES[0], listed))
    return tuple(sets)


def _masks(own: ResourceSection, layer: str, key: str) -> tuple[int, ...]:
    """Return the bit mask `key` of each layer of one kind, such as physics.

    `own` is the TileSet's section; the keys of the layers begin with `layer`. An unset mask is 1.
    """
    numbers = [
        int(result.group(1))
        for entry in own.entries
        if (result := re.match(rf"{layer}_([0-9]{{1,2}})/", entry))
    ]
    return tuple(
        _integer(own, f"{layer}_{number}/{key}", 1) & 0xFFFFFFFF
        for number in range(max(numbers, default=-1) + 1)
    )


def _integer(section: ResourceSection, key: str, default: int) -> int:
    value = section.value(key, default)
    if not isinstance(value, int):
        raise ResourceTextError(f"{key} is not a whole number")
    return value


def _pair(section: ResourceSection, key: str, default: tuple[int, int]) -> tuple[int, int]:
    if key not in section.entries:
        return default
    match section.value(key):
        case Call("Vector2i", (int(x), int(y))) if 0 <= x <= MAXIMUM_PIXELS >= y >= 0:
            return x, y
    raise ResourceTextError(f"{key} is not a pair of whole numbers")
