"""Warn about levels and settings that Godot does not handle well."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.nodes import Node, Scene, count_nodes
from exporter.formats.godot.options import SceneOptions
from exporter.formats.godot.scene_tiles import SceneTiles
from exporter.formats.godot.tile_cells import navigation_areas
from exporter.formats.godot.values import Value
from exporter.model.level import Layer, Level

# Godot 4.6 holds so many occluders; each further one is dropped with an error in the log.
MOST_OCCLUDERS = 262_144
# Godot 4.4 and newer search so many polygons for a path by default.
MOST_PATH_POLYGONS = 4096


def tile_warnings(
    level: Level, tiles: SceneTiles, options: SceneOptions, streamed: bool, world: bool = False
) -> list[str]:
    """Return warnings about cells whose tiles have no shapes, or wrong ones.

    `options` says which shapes (collision, navigation, occluders) come from tiles; a cell without a
    tile has none. `streamed` says whether tiles are only loaded near the view, `world` whether the
    level is a chunk of a world.
    """
    uses = (options.collision, options.navigation, options.occlusion)
    layers = level.play_layers() if "tiles" in uses else []
    if not layers:
        return []
    drawn = [(layer, tiles.numbers(layer) >= 0) for layer in layers]
    walkable = level.walkable()
    warnings: list[str] = []
    if options.collision == "tiles":
        warnings += _collision(drawn, walkable)
        warnings += _only_near("collision", "walls", world) if streamed else []
    if options.navigation == "tiles":
        warnings += _navigation(drawn, walkable)
        warnings += _only_near("navigation", "paths", world) if streamed else []
    if options.occlusion == "tiles":
        warnings += _occlusion(drawn, level.opaque(), streamed)
    return warnings


def closed_warnings(level: Level, scene: Scene, options: SceneOptions) -> list[str]:
    """Return warnings if no passage is wide enough for `agent_radius`.

    One is about all walkable cells, others are about tiles with their own navigation layers.
    `scene` is searched for the navigation that it lacks.
    """
    warnings = []
    used_layers = set(_navigation_layers(scene.root))
    walkable = level.walkable()
    if (
        options.agent_radius
        and options.bits.navigation_layers not in used_layers
        and walkable.any()
    ):
        warnings.append(closed_text(options))
    for mask in navigation_areas(level, options.navigation_layers, walkable):
        if mask not in used_layers:
            tiles = [name for name, layers in options.navigation_layers.items() if layers & mask]
            warnings.append(
                f"no way over {' or '.join(map(repr, tiles))} is wide enough for `agent_radius: "
                f"{options.agent_radius}`, so there are no paths on these layers (write a smaller "
                "one, in pixels)"
            )
    return warnings


def _navigation_layers(node: Node) -> Iterator[Value]:
    if node.type == "NavigationRegion2D":
        yield node.properties.get("navigation_layers", 1)
    for child in node.children:
        yield from _navigation_layers(child)


def closed_text(options: SceneOptions) -> str:
    """Return the warning that no passage is wide enough for `agent_radius`."""
    radius = "" if options.diamond else f": {options.agent_radius}"
    return (
        f"no way is wide enough for `agent_radius{radius}`, so there are no paths: "
        "it must be less than half as wide as the corridors, in pixels"
    )


def inset_warnings(options: SceneOptions) -> list[str]:
    """Return a warning that `occlusion_inset` has no effect, if it is set.

    Call this only for a level whose occluders are added in chunks near the view.
    """
    if not options.occlusion_inset:
        return []
    return [
        "`occlusion_inset` has no effect on occluders that are added in chunks near the view, as "
        "those of large levels and worlds are: write `chunks: never` for a level"
    ]


def sort_warnings(level: Level, options: SceneOptions) -> list[str]:
    """Return a warning that `y_sort` has little effect, if it is set.

    Call this only for a level whose tiles are in chunks near the view.
    """
    layers = [layer.name for layer in level.seen_layers() if layer.display.y_sort]
    names = [f"layer {name!r}" for name in layers] + ["objects"] * options.objects.y_sort
    if not names:
        return []
    return [
        f"`y_sort` of {', '.join(names)} sorts only within each node, because tiles are in chunks "
        "near the view: layers below need a smaller `z_index`, or write `chunks: never`"
    ]


def _only_near(option: str, what: str, world: bool) -> list[str]:
    if world:
        return [
            f"`{option}: tiles` has {what} only near the view, as the tiles of a world are: "
            f"`{option}: merged` has them in all parts around it"
        ]
    return [
        f"`{option}: tiles` has {what} only near the view, as the tiles of a large level are: "
        f"`{option}: merged` has them everywhere, and so has `chunks: never`"
    ]


def occluder_warnings(scene: Scene) -> list[str]:
    """Return a warning if the scene has more occluders than Godot allows."""
    count = count_nodes(scene.root, "LightOccluder2D")
    if count <= MOST_OCCLUDERS:
        return []
    return [
        f"the scene has {count} occluders, and Godot holds {MOST_OCCLUDERS}: with `chunks: auto` "
        "it has those near the view only"
    ]


_Drawn = list[tuple[Layer, NDArray[np.bool_]]]


def _collision(drawn: _Drawn, walkable: NDArray[np.bool_]) -> list[str]:
    blocked = np.zeros_like(walkable)
    for layer, displayed in drawn:
        solid = layer.lookup([tile.blocking for tile in layer.tiles])
        blocked |= solid & displayed
    free = int(np.count_nonzero(~blocked & ~walkable))
    if not free:
        return []
    return [
        f"`collision: tiles` leaves {free} cells free that cannot be walked on, because they have "
        "no tile: `collision: merged` makes them solid"
    ]


def _navigation(drawn: _Drawn, walkable: NDArray[np.bool_]) -> list[str]:
    counts = np.zeros(walkable.shape, np.int32)
    for layer, displayed in drawn:
        counts += layer.lookup([tile.walkable for tile in layer.tiles]) & displayed
    through = int(np.count_nonzero((counts > 0) & ~walkable))
    missing = int(np.count_nonzero((counts == 0) & walkable))
    warnings = []
    if int(counts.sum()) > MOST_PATH_POLYGONS:
        warnings.append(
            f"makes {int(counts.sum())} polygons, and Godot looks at {MOST_PATH_POLYGONS} for a "
            "path, so that longer ones end halfway"
        )
    if through:
        warnings.append(f"leads through {through} cells that another layer blocks")
    if missing:
        warnings.append(f"leaves out {missing} cells that can be walked on, which have no tile")
    if not through and (counts > 1).any():
        warnings.append("has several layers on the same cells, which Godot reports as errors")
    return [f"`navigation: tiles` {text}: `navigation: merged` does not" for text in warnings]


def _occlusion(drawn: _Drawn, opaque: NDArray[np.bool_], streamed: bool) -> list[str]:
    shading = [layer.opaque & displayed for layer, displayed in drawn]
    count = sum(int(np.count_nonzero(cells)) for cells in shading)
    missing = int(np.count_nonzero(opaque & ~np.logical_or.reduce(shading)))
    warnings = []
    if count > MOST_OCCLUDERS and not streamed:
        warnings.append(
            f"`occlusion: tiles` makes {count} occluders, and Godot holds {MOST_OCCLUDERS}: "
            "`occlusion: merged` makes few"
        )
    if missing:
        warnings.append(
            f"`occlusion: tiles` leaves {missing} opaque cells without a shadow, because they "
            "have no tile: `occlusion: merged` does not"
        )
    return warnings
