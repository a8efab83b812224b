"""Compare two levels and return all differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace

import numpy as np
from numpy.typing import NDArray

from exporter.explore.comparison.cells import (
    compare_legends,
    compare_masks,
    compare_named_masks,
    compare_samples,
    compare_tiles,
)
from exporter.explore.comparison.differences import (
    LayerDifference,
    LevelDifference,
    MetricChange,
    NamedChange,
    SightDifference,
)
from exporter.explore.comparison.lists import (
    compare_lists,
    compare_puzzles,
    compare_tables,
    compare_values,
)
from exporter.explore.comparison.objects import compare_objects
from exporter.measures import Number
from exporter.measures.measured import Measured
from exporter.measures.measuring import measure, value_of
from exporter.measures.names import named_metrics
from exporter.model.errors import BlobError, NotMeasurableError
from exporter.model.level import Layer, Level
from exporter.model.sight import Sight
from exporter.model.tileset import TilesetSource

_FACTS = ("generator", "version", "role", "grid_aligned", "complete")


def compare_levels(was: Level, now: Level, metrics: Sequence[str] | None = None) -> LevelDifference:
    """Return all differences between two levels.

    Reports of generators and certificates, which follow from cells, are not compared. Metrics are
    measured only if something else differs.

    Args:
        was: The first level.
        now: The second level.
        metrics: The names of the metrics to compare; None for all that `measure` knows.
            `blob_bytes` takes longer than all others together.

    Raises:
        RegistryError: A metric of another distribution cannot be used.
        ParameterError: A metric is unknown, or cannot be computed.
    """
    common = [name for name in now.layers if name in was.layers]
    layers = (compare_layers(was.layers[name], now.layers[name]) for name in common)
    level_difference = LevelDifference(
        was=was,
        now=now,
        added_layers=tuple(name for name in now.layers if name not in was.layers),
        removed_layers=tuple(name for name in was.layers if name not in now.layers),
        layers=tuple(layer for layer in layers if layer.differs),
        reordered=common != [name for name in was.layers if name in now.layers],
        walkable=compare_masks(was.walkable(), now.walkable()),
        objects=compare_objects(was.objects, now.objects),
        sight=compare_sight(was, now),
        tables=tuple(compare_tables(was.tables, now.tables)),
        puzzles=tuple(compare_puzzles(was.puzzles, now.puzzles)),
        properties=compare_values(was.properties, now.properties),
        tileset=not _same_tileset(was.tileset, now.tileset),
    )
    # A metric of equal levels could only differ by the name of the level, which the blob has.
    return (
        level_difference
        if level_difference.equal
        else replace(level_difference, metrics=compare_metrics(was, now, metrics))
    )


def compare_layers(was: Layer, now: Layer) -> LayerDifference:
    """Return the differences between two layers with the same name."""
    remaining = was.kind == now.kind
    cells = heights = walkable = None
    if remaining and now.kind == "tiles":
        cells = compare_tiles(was, now)
    elif remaining:
        cells, heights = compare_samples(was, now)
    if was.walkable is not None and now.walkable is not None:
        walkable = compare_masks(was.walkable, now.walkable)
    return LayerDifference(
        name=now.name,
        kind=now.kind,
        facts=tuple(_facts(was, now)),
        legend=tuple(compare_legends(was.tiles, now.tiles)),
        cells=cells,
        heights=heights,
        walkable=walkable,
        masks=tuple(compare_named_masks(was.masks, now.masks)),
        rooms=compare_lists(was.rooms, now.rooms),
        connections=compare_lists(was.connections, now.connections),
    )


def _facts(was: Layer, now: Layer) -> Iterator[NamedChange]:
    """Yield the differing values of two layers, such as kind or size."""
    sizes = [(layer.width, layer.height) for layer in (was, now)]
    if sizes[0] != sizes[1]:
        yield NamedChange("size", "changed", *map(list, sizes))
    values = [
        {
            "kind": layer.kind,
            **{name: getattr(layer, name) for name in _FACTS},
            "has_walkable": layer.walkable is not None,
            **({} if layer.heights is None else asdict(layer.heights)),
        }
        for layer in (was, now)
    ]
    yield from compare_values(*values)


def _same_tileset(was: TilesetSource | None, now: TilesetSource | None) -> bool:
    """Return whether two levels request the same pictures of tiles."""
    if was is None or now is None:
        return was is now
    pixels = [source.pixels for source in (was, now)]
    if pixels[0] is None or pixels[1] is None:
        same = pixels[0] is pixels[1]
    else:
        same = np.array_equal(pixels[0], pixels[1])
    return same and was.options == now.options


def compare_metrics(
    was: Level, now: Level, names: Sequence[str] | None = None
) -> tuple[MetricChange, ...]:
    """Measure two levels, and return the metrics whose values differ.

    If the table of views of one level is over the limits of its blob, fields of view are left out.

    Args:
        was: The first level.
        now: The second level.
        names: The names of the metrics; None for all.

    Raises:
        RegistryError: A metric of another distribution cannot be used.
        ParameterError: A metric is unknown, or cannot be computed.
    """
    try:
        before, after = _measure(was, names), _measure(now, names)
    except BlobError:
        before, after = (_measure(replace(item, visibility=None), names) for item in (was, now))
    order = dict.fromkeys([*after, *before] if names is None else map(str, named_metrics(names)))
    return tuple(
        MetricChange(name, before.get(name), after.get(name))
        for name in order
        if before.get(name) != after.get(name)
    )


def _measure(level: Level, names: Sequence[str] | None) -> dict[str, Number]:
    """Return a level's metrics `names`, or all; leave out those it lacks."""
    if names is None:
        return measure(level)
    measured, result = Measured(level), {}
    for named in named_metrics(names):
        with suppress(NotMeasurableError):
            result[str(named)] = value_of(named, measured)
    return result


def compare_sight(was: Level, now: Level) -> SightDifference | None:
    """Return the differences between the fields of view of two levels.

    Return None without any. The views from each cell are compared only if rule, radius and
    size are equal, as otherwise nearly all differ.
    """
    before, after = was.visibility, now.visibility
    if before is None or after is None:
        if before is after:
            return None
        return SightDifference("added" if before is None else "removed")
    rule = _rule(was, before, now, after)
    sight_difference = SightDifference("changed", rule)
    if any(item.name != "layer" for item in rule):
        return replace(sight_difference, reason="the rules differ")
    if before.opaque.shape != after.opaque.shape:
        return replace(sight_difference, reason="the sizes differ")
    if np.array_equal(before.opaque, after.opaque):
        return (
            replace(sight_difference, views=0) if rule else None
        )  # views follow from the opaque cells
    try:
        views = int(np.count_nonzero(changed_views(before, after)))
    except BlobError as error:
        return replace(sight_difference, reason=str(error))
    return replace(sight_difference, views=views) if views or rule else None


def changed_views(was: Sight, now: Sight) -> NDArray[np.bool_]:
    """Return the cells that see other cells than before: bool [height, width].

    `was` and `now` are the fields of view of two levels, with the same rule, radius and size.

    Raises:
        BlobError: A table of a blob is over its limits.
    """
    changed = np.zeros(was.opaque.shape, bool)
    for index in range(len(now.offsets)):
        changed |= was.plane(index) != now.plane(index)
        if now.mutual:
            changed |= was.opposite_plane(index) != now.opposite_plane(index)
    return changed


def _rule(was: Level, before: Sight, now: Level, after: Sight) -> tuple[NamedChange, ...]:
    """Return how the rules of sight and the layers they use differ.

    `before` is the sight of the level `was`, `after` that of `now`.
    """
    values = [
        {
            "algorithm": sight.algorithm,
            "radius": sight.radius,
            "see_walls": bool(sight.see_walls),
            "layer": level.visibility_layer,
        }
        for level, sight in ((was, before), (now, after))
    ]
    return compare_values(*values)
