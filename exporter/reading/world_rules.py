"""Check the spec of a world, a large level that is built in chunks.

Every layer, object and limit must work chunk by chunk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from math import prod

from exporter.generators import GENERATORS, JoiningParameters, Parts
from exporter.model.errors import ParameterError
from exporter.model.limits import MAXIMUM_CELLS, MAXIMUM_PARTS, PART_SIDES
from exporter.model.windows import parts_in
from exporter.reading.level_spec import LayerSpec, LevelSpec
from exporter.reading.limit_keys import MetricLimit, Requirements
from exporter.reading.roles import layer_roles
from exporter.reading.yaml_reader import Path as ValuePath

# Requirements on a world of any size, and on one small enough to be measured at once.
BY_PARTS = frozenset(
    {"connected", "min_floor", "max_floor", "max_dead_ends", "regions", "floor", "dead_ends"}
)
AT_ONCE = frozenset({"min_distance", "max_chokes", "farthest", "chokes"})


def world_problems(spec: LevelSpec) -> Iterator[tuple[ValuePath, str]]:
    """Yield path and message of everything in `spec` that a world cannot have."""
    yield from _part_problems(spec)
    for name, layer in spec.layers.items():
        yield from _layer_problems(spec, name, layer)
    if spec.rng == "dotnet":
        message = "`rng: dotnet` cannot be used in a world (remove `rng`, or `chunk`)"
        yield ("rng",), message
    if spec.search is not None:
        yield ("seed",), "a world cannot search for its seed (write a seed, or remove `chunk`)"
    if spec.budget is not None:
        yield ("budget",), "`budget` cannot be used in a world (remove `budget`, or `chunk`)"
    if spec.pack is not None:
        yield ("pack",), "`pack` cannot be used in a world (remove `pack`, or `chunk`)"
    sight = spec.visibility.layer if spec.visibility is not None else None
    if sight is not None and layer_roles(spec.layers).get(sight) == "none":
        message = (
            f"the layer {sight!r} is not exported, but readers of a world compute sight from it "
            f"(write `role: data` for {sight!r}, or name another layer)"
        )
        yield ("visibility", "layer"), message
    for index, item in enumerate(spec.objects):
        if item.place != "by_cell":
            message = (
                f"placing {item.name!r} needs the whole map, but a world is built in chunks (write "
                "`place: by_cell` with `percent`, or remove `chunk`)"
            )
            yield ("objects", index), message
    if spec.mission is not None:
        message = (
            "`mission` cannot be used in a world: its proof needs the whole map (write it in a "
            "level without `chunk`)"
        )
        yield ("mission",), message
    for key, names in (("tables", spec.tables), ("puzzles", spec.puzzles)):
        for name in names:
            message = f"`{key}` cannot be used in a world (write it in a level without `chunk`)"
            yield (key, name), message
    yield from _limit_problems(spec, ("require",), spec.require, spec.limits)


def parts_of(spec: LevelSpec, layer: LayerSpec) -> tuple[Parts, int]:
    """Return the function that builds single chunks of `layer`, and its halo.

    The halo is how many cells around a chunk, on each side, the function reads.

    Raises:
        ParameterError: The generator cannot build single chunks; the error has the path of the
            parameter at fault.
    """
    parts = GENERATORS.get(layer.generator).parts
    if parts is None:
        raise ParameterError(
            f"{layer.generator!r} needs the whole map at once, and a world is built in chunks "
            f"(use one of {', '.join(makers_of_parts())}; or remove `chunk`)",
            ("generator",),
        )
    radius = spec.visibility.radius if spec.visibility is not None else 0
    return parts, parts.halo(layer.parameters, radius)


def makers_of_parts() -> list[str]:
    """Return the names of generators that can build a world chunk by chunk."""
    return [name for name in GENERATORS.built_in() if GENERATORS.get(name).parts is not None]


def _part_problems(spec: LevelSpec) -> Iterator[tuple[ValuePath, str]]:
    assert spec.chunk is not None
    count = parts_in(spec.size, spec.chunk)
    if count > MAXIMUM_PARTS:
        fits = next(side for side in PART_SIDES if parts_in(spec.size, side) <= MAXIMUM_PARTS)
        message = (
            f"{spec.size[0]:,} x {spec.size[1]:,} cells are {count:,} parts of {spec.chunk}, and "
            f"a world has at most {MAXIMUM_PARTS:,} (write `chunk: {fits}`)"
        )
        yield ("chunk",), message


def _layer_problems(
    spec: LevelSpec, name: str, layer: LayerSpec
) -> Iterator[tuple[ValuePath, str]]:
    position: ValuePath = ("layers", name)
    try:
        parts_of(spec, layer)
    except ParameterError as error:
        yield (*position, *error.path), error.message
        return
    if layer.options.size is not None and layer.options.size != spec.size:
        yield (*position, "size"), "a layer of a world has the size of the world (remove `size`)"
    yield from _limit_problems(spec, (*position, "require"), layer.options.require, layer.limits)
    parameters = layer.parameters
    if isinstance(parameters, JoiningParameters) and parameters.connect not in (
        False,
        "guaranteed",
    ):
        yield (*position, "connect"), _needs_whole("a generator's own way to join regions")


def _limit_problems(
    spec: LevelSpec,
    position: ValuePath,
    require: Requirements | None,
    limits: Iterable[MetricLimit],
) -> Iterator[tuple[ValuePath, str]]:
    """Yield path and message of limits that cannot be checked by chunk.

    `require` and `limits` are the limits of the world or of a layer; `position` is their path.
    """
    at_once = prod(spec.size) <= MAXIMUM_CELLS
    requested = (
        []
        if require is None
        else [
            field.name for field in fields(require) if getattr(require, field.name) != field.default
        ]
    )
    for key in [*requested, *(limit.name for limit in limits)]:
        if key in BY_PARTS or (at_once and key in AT_ONCE):
            continue
        if key in AT_ONCE:
            yield (
                (*position, key),
                (
                    f"{key!r} cannot be computed for {prod(spec.size):,} cells (allowed: "
                    f"{MAXIMUM_CELLS:,}; remove it, or make the world smaller)"
                ),
            )
        else:
            known = ", ".join(sorted(BY_PARTS | AT_ONCE))
            yield (
                (*position, key),
                (
                    f"{key!r} cannot be required of a world (allowed: {known}; remove it, or "
                    "`chunk`)"
                ),
            )


def _needs_whole(what: str) -> str:
    return f"{what} cannot be used in a world, which is built in chunks (remove it, or `chunk`)"
