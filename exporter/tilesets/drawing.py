"""Draw all pictures of a tile, with the rules that choose among them.

Pictures have 16 x 16 pixels and are drawn by integer arithmetic. A tile's name (`materials`), its
colour in the legend and the level's style decide how the tile looks; a shore or the rim of a rock
also shows a ground of the same legend.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from exporter.grids.neighbourhoods import (
    BLOB_MASKS,
    EAST,
    EDGE_MASKS,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH,
    WEST,
    masks_of,
)
from exporter.model.colors import rgba
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import CLEAR, Tile
from exporter.model.tileset import AutotileSet
from exporter.tilesets import fixtures, grounds, liquids, raised
from exporter.tilesets.brush import Brush, shaded, shadow
from exporter.tilesets.materials import (
    JOINED,
    TALL,
    WET,
    Family,
    Material,
    Shape,
    color_of,
    material_of,
)
from exporter.tilesets.palette import Canvas, unpacked
from exporter.tilesets.shapes import SIZE, OpenSides, depth
from exporter.tilesets.styles import Style

_ALL = NORTH | EAST | SOUTH | WEST
_FRONT = NORTH | NORTH_EAST | EAST | WEST | NORTH_WEST
# The wall around a door whose legend has none.
_BUILT = Tile(0, "wall", walkable=False, opaque=True, color=CLEAR)
_CLEAR: Canvas = np.zeros((SIZE, SIZE), np.uint32)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that chooses a tile's picture by its neighbours and cell.

    Attributes:
        classes: For each class of neighbourhoods, the indices of its pictures; an index that is
            listed twice is chosen twice as often.
        autotile: The kind of classes, such as `blob`; None for a single class.
        joins: The ids of the tiles that count as joined, that is, as the same surface; None for the
            tile's own id.
        inner: Whether the rule applies only to cells whose eight neighbours are joined. Its classes
            then depend on which of the neighbours are such cells, too.
        terrain: Whether an engine can paint with the rule as a terrain.
    """

    classes: tuple[tuple[int, ...], ...]
    autotile: AutotileSet | None = None
    joins: frozenset[int] | None = None
    inner: bool = False
    terrain: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TileAppearance:
    """All pictures of a tile, with the rules that choose among them.

    Attributes:
        pictures: uint8 [count, SIZE, SIZE, 4]; the first shows the tile by itself.
        rules: The rules that choose a cell's picture; the last one that applies wins.
    """

    pictures: NDArray[np.uint8]
    rules: tuple[Rule, ...]


class Painter:
    """Draws the tiles of one legend in a style.

    Args:
        tiles: The tiles of the legend.
        style: The colours.
        around: The id of the ground around a tile, by the tile's id.
        frame: Which picture of animated tiles is drawn.
    """

    def __init__(
        self,
        tiles: tuple[Tile, ...],
        style: Style,
        around: Mapping[int, int] | None = None,
        frame: int = 0,
    ) -> None:
        self.tiles = [tile for tile in tiles if not tile.empty]
        self.style = style
        self.frame = frame
        by_id = {tile.id: tile for tile in tiles}
        self.all_ids = frozenset(by_id)
        self.grounds = {id_: by_id[ground] for id_, ground in (around or {}).items()}

    def look(self, tile: Tile, autotile: AutotileSet | None = None) -> TileAppearance:
        """Return all pictures of `tile`, with the rules that choose among them.

        `autotile` is the kind of neighbourhoods to draw the tile for; None lets its name decide.
        """
        material = material_of(tile)
        brush = self._brush(tile, material)
        if autotile and (material.shape is None or autotile == "edges"):
            look = self._framed(material, brush, autotile)
        elif material.shape is not None:
            look = self._shaped(tile, material, brush)
        elif material.family == "door":
            look = self._door(brush)
        elif material.family == "bridge":
            look = self._bridge(brush)
        elif material.family == "stairs":
            look = _single(_stairs(tile, brush))
        else:
            look = self._ground(material, brush)
        return _with_alpha(look, rgba(tile.color)[3])

    def flat(self, tile: Tile) -> TileAppearance:
        """Return the appearance of `tile` as one picture in its plain colour."""
        brush = self._brush(tile, material_of(tile))
        look = _single(grounds.plain(brush, tile.id % 16))
        return _with_alpha(look, rgba(tile.color)[3])

    def neighbourhood(self, tile: Tile, autotile: AutotileSet) -> TileAppearance:
        """Return the appearance of a tile that represents a neighbourhood.

        `tile` is named `mask_` and a number, a bit for each neighbour that is joined; `autotile` is
        the kind of neighbourhoods.
        """
        mask = int(tile.name.rpartition("_")[2])
        full = _with_corners(mask) if autotile == "edges" else mask
        material = Material("wall", "face", shape=raised.wall)
        if tile.walkable:
            material = Material("ground", "floor")
        named = material_of(tile)
        brush = self._brush(tile, named)
        if material.shape is not None:
            pictures = material.shape(brush, (full,), np.zeros(1, np.int32))
        else:
            pictures = _rimmed(material, brush, (full,))
        return _with_alpha(_single(pictures[0]), rgba(tile.color)[3])

    def _brush(self, tile: Tile, material: Material) -> Brush:
        ground, around = self._around(tile, material.family)
        soft = material.family == "water" and around is not None and around.color in _SOFT
        return Brush(self.style, color_of(tile, self.style), ground, beach=soft, frame=self.frame)

    def _around(self, tile: Tile, family: Family) -> tuple[Canvas, Material | None]:
        """Return the picture and the material of the ground around `tile`.

        For deep water the ground is shallow water. If the tile has no ground around it, the picture
        is clear and the material None.
        """
        if family == "deep":
            for other in self.tiles:
                if material_of(other).family == "water":
                    brush = Brush(self.style, color_of(other, self.style), _CLEAR)
                    water = liquids.water(brush, (255,), np.ones(1, np.int32))[0]
                    return water, material_of(other)
        ground = self.grounds.get(tile.id)
        if ground is None:
            return _CLEAR, None
        material = material_of(ground)
        brush = Brush(self.style, color_of(ground, self.style), _CLEAR)
        return material.surface(brush, 0), material

    def _ids(self, families: frozenset[Family]) -> frozenset[int]:
        return frozenset(tile.id for tile in self.tiles if material_of(tile).family in families)

    def _shaped(self, tile: Tile, material: Material, brush: Brush) -> TileAppearance:
        """Return a tile drawn for all 47 neighbourhoods, some with variants.

        `material` has the function that draws the tile.
        """
        assert material.shape is not None
        family = material.family
        joins = frozenset({tile.id}) if family == "low" else self._ids(JOINED[family])
        extra = {255: liquids.WEIGHTS} if family in WET else _EXTRA_TALL
        if family == "water":
            extra = {}
        pictures, rule = _neighbourhoods(material.shape, brush, extra)
        rules = [replace(rule, joins=joins, terrain=True)]
        if family == "water":
            more, rule = _neighbourhoods(liquids.open_water, brush, {255: liquids.WEIGHTS})
            moved = tuple(tuple(len(pictures) + item for item in chosen) for chosen in rule.classes)
            rules.append(replace(rule, classes=moved, joins=joins, inner=True))
            pictures = np.concatenate([pictures, more])
        return TileAppearance(unpacked(pictures), tuple(rules))

    def _ground(self, material: Material, brush: Brush) -> TileAppearance:
        """Draw the variants of a ground: plain, and in walls' shadow or grassy.

        Grass hangs over loose grounds, such as sand, if the legend has grass.
        """
        plain = [material.surface(brush, variant) for variant in range(grounds.VARIANTS)]
        grass = [tile for tile in self.tiles if material_of(tile).color == "grass"]
        if material.color in _LOOSE and grass:
            return self._overgrown(plain, brush, grass[0])
        tall = self._ids(TALL)
        spread = _spread(grounds.WEIGHTS)
        if not tall:
            return TileAppearance(unpacked(np.stack(plain)), (Rule((spread,)),))
        pictures = list(plain)
        shades: dict[int, tuple[int, ...]] = {}
        for mask, count in _SHADOWS:
            cast = shadow(OpenSides((mask,)))[0]
            first = len(pictures)
            pictures += [shaded(item, brush.shade, cast) for item in plain[:count]]
            shades[mask] = tuple(range(first, len(pictures)))
        classes = tuple(shades.get(_shadow_mask(mask), spread) for mask in BLOB_MASKS)
        return TileAppearance(
            unpacked(np.stack(pictures)), (Rule(classes, "blob", self.all_ids - tall),)
        )

    def _overgrown(self, plain: list[Canvas], brush: Brush, grass: Tile) -> TileAppearance:
        """Return a loose ground, such as sand, with grass hanging over its edges.

        `plain` are its pictures without grass; `grass` is the legend's first grass tile.
        """
        blades = material_of(grass).surface(
            Brush(self.style, color_of(grass, self.style), _CLEAR), 0
        )
        masks = BLOB_MASKS[:-1]
        edged = grounds.overgrown(plain[0], blades, brush, masks)
        pictures = np.concatenate([np.stack(plain), edged])
        classes = (
            *((len(plain) + index,) for index in range(len(masks))),
            _spread(grounds.WEIGHTS),
        )
        greens = {tile.id for tile in self.tiles if material_of(tile).color == "grass"}
        return TileAppearance(unpacked(pictures), (Rule(classes, "blob", self.all_ids - greens),))

    def _door(self, brush: Brush) -> TileAppearance:
        walls = [tile for tile in self.tiles if material_of(tile).family == "wall"]
        wall = walls[0] if walls else _BUILT
        shape = material_of(wall).shape
        assert shape is not None
        around = Brush(self.style, color_of(wall, self.style), brush.ground)
        front = shape(around, (EAST | WEST,), np.zeros(1, np.int32))[0]
        pictures = np.stack(
            [
                fixtures.door_in_front(brush, front),
                fixtures.door_from_the_side(brush, brush.ground, front),
            ]
        )
        classes = tuple((0 if mask & (EAST | WEST) else 1,) for mask in EDGE_MASKS)
        return TileAppearance(
            unpacked(pictures), (Rule(classes, "edges", self._ids(frozenset({"wall"}))),)
        )

    def _bridge(self, brush: Brush) -> TileAppearance:
        pictures = np.stack([fixtures.bridge(brush, across=across) for across in (True, False)])
        classes = tuple((0 if mask & (NORTH | SOUTH) else 1,) for mask in EDGE_MASKS)
        return TileAppearance(unpacked(pictures), (Rule(classes, "edges", self._ids(WET)),))

    def _framed(self, material: Material, brush: Brush, autotile: AutotileSet) -> TileAppearance:
        """Return a tile that has a rim where tiles of the same kind end.

        `autotile` is the kind of neighbourhoods to draw it for.
        """
        masks = (masks_of(autotile)[-1], *masks_of(autotile)[:-1])
        if material.shape is not None:
            # Without corners in the masks, all corners between two sides are joined.
            full = tuple(_with_corners(mask) for mask in masks)
            pictures = material.shape(brush, full, np.zeros(len(masks), np.int32))
        else:
            full = tuple(map(_with_corners, masks)) if autotile == "edges" else masks
            pictures = _rimmed(material, brush, full)
        classes = tuple((masks.index(mask),) for mask in masks_of(autotile))
        return TileAppearance(unpacked(pictures), (Rule(classes, autotile, terrain=True),))


# The variants of the pictures that are seen most, and how often each is taken: the inside of
# rocks and walls, and their fronts where the wall goes on at both sides; and open water.
_EXTRA_TALL = {255: (6, 2, 1), _FRONT: (14, 2, 1), EAST | WEST: (10, 1, 1)}
# Colours of grounds that meet water at a beach, and of grounds below grass.
_SOFT = frozenset({"grass", "sand", "dirt"})
_LOOSE = frozenset({"sand", "dirt", "snow"})
# The neighbourhoods in which a ground lies in a wall's shadow, and how many variants there are.
_SHADOWS = ((_ALL, 1), (EAST | SOUTH | WEST, 3), (NORTH | EAST | SOUTH, 2), (EAST | SOUTH, 1))


def _neighbourhoods(
    shape: Shape, brush: Brush, extra: Mapping[int, tuple[int, ...]]
) -> tuple[Canvas, Rule]:
    """Return a tile's pictures for all 47 neighbourhoods, and their rule.

    `shape` draws them. `extra` has, for some neighbourhoods, how often each of several variants is
    chosen.
    """
    # The picture for the inside comes first: it shows the tile by itself.
    masks = [BLOB_MASKS[-1], *BLOB_MASKS[:-1]]
    variants = [0] * len(masks)
    chosen: dict[int, tuple[int, ...]] = {mask: (position,) for position, mask in enumerate(masks)}
    for mask, weights in extra.items():
        places = list(chosen[mask]) * weights[0]
        for variant, weight in enumerate(weights[1:], 1):
            places += [len(masks)] * weight
            masks.append(mask)
            variants.append(variant)
        chosen[mask] = tuple(places)
    pictures = shape(brush, tuple(masks), np.array(variants, np.int32))
    return pictures, Rule(tuple(chosen[mask] for mask in BLOB_MASKS), "blob")


def _shadow_mask(mask: int) -> int:
    """Return which of `_SHADOWS` lies on a floor with neighbourhood `mask`.

    The result is a neighbourhood, or -1 without a shadow.
    """
    north, west, corner = mask & NORTH, mask & WEST, mask & NORTH_WEST
    if north and west:
        return -1 if corner else _ALL
    return EAST | SOUTH | (NORTH if north else 0) | (WEST if west else 0)


def _with_corners(mask: int) -> int:
    """Add to `mask` each corner that lies between two sides in `mask`."""
    for corner in range(1, 8, 2):
        sides = 1 << (corner - 1) | 1 << ((corner + 1) & 7)
        if mask & sides == sides:
            mask |= 1 << corner
    return mask


@cache
def _spread(weights: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(number for number, weight in enumerate(weights) for _ in range(weight))


def _rimmed(material: Material, brush: Brush, masks: tuple[int, ...]) -> Canvas:
    """Draw a ground for each of `masks`, with a dark rim where it ends.

    A mask has a bit for each neighbour that belongs to the ground.
    """
    surface = material.surface(brush, 0)
    pictures = np.broadcast_to(surface, (len(masks), *surface.shape))
    far = depth(OpenSides(masks))
    return shaded(pictures, brush.shade, np.choose(far.clip(0, 2), (40, 10, 0)).astype(np.int32))


def _stairs(tile: Tile, brush: Brush) -> Canvas:
    up = any(word in tile.name.lower() for word in ("up", "entrance", "ladder"))
    return fixtures.stairs_up(brush) if up else fixtures.stairs_down(brush)


def _single(picture: Canvas) -> TileAppearance:
    return TileAppearance(unpacked(picture[None]), (Rule(((0,),)),))


def _with_alpha(look: TileAppearance, alpha: int) -> TileAppearance:
    """Return `look` with the opacity `alpha`, from 0 to 255.

    Its pictures are changed in place, except if `alpha` is 0 or 255.
    """
    if alpha not in (0, 255):
        part = look.pictures[..., 3].astype(np.int32) * alpha // 255
        look.pictures[..., 3] = part.astype(np.uint8)
    return look
