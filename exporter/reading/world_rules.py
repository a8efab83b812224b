"""What a world, a level with `chunk`, may have in its spec: all that can be made by parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from exporter.generators import GENERATORS, JoiningParameters, Parts
from exporter.generators._tile_options import PaintedCells
from exporter.model.errors import ParameterError
from exporter.reading.document import Path as ValuePath
from exporter.reading.level_spec import LayerSpec, LevelSpec


def world_problems(spec: LevelSpec) -> Iterator[tuple[ValuePath, str]]:
    """Yield the path and the message of everything that a world cannot have.

    Args:
        spec: The spec, as far as it could be read.
    """
    for name, layer in spec.layers.items():
        yield from _layer_problems(spec, name, layer)
    if spec.rng == "dotnet":
        message = "a world has no stream of the reference programs (remove `rng`, or `chunk`)"
        yield ("rng",), message
    if spec.search is not None:
        yield ("seed",), "a world's seed is not searched for (write a seed, or remove `chunk`)"
    if spec.budget is not None:
        yield ("budget",), "a world has no budget (remove `budget`, or `chunk`)"
    for index, _ in enumerate(spec.objects):
        message = "objects of a world are not placed yet (remove them, or `chunk`)"
        yield ("objects", index), message
    require = spec.require
    if require is not None:
        for one in fields(require):
            if getattr(require, one.name) != one.default:
                yield ("require", one.name), _needs_whole("what is required of it")
    for limit in spec.limits:
        yield ("require", limit.name), _needs_whole("its metrics")


def parts_of(spec: LevelSpec, layer: LayerSpec) -> tuple[Parts, int]:
    """Return how the generator of a layer makes parts, and how many cells around them it needs.

    Raises:
        ParameterError: It cannot make parts, with the path of the parameter at fault.
    """
    parts = GENERATORS.get(layer.generator).parts
    if parts is None:
        raise ParameterError(
            f"{layer.generator!r} makes a map as a whole, and a world is made by parts (those "
            f"that can: {', '.join(makers_of_parts())}; or remove `chunk`)",
            ("generator",),
        )
    radius = spec.visibility.radius if spec.visibility is not None else 0
    return parts, parts.halo(layer.parameters, radius)


def makers_of_parts() -> list[str]:
    """Return the names of the generators that can make parts."""
    return [name for name in GENERATORS.built_in() if GENERATORS.get(name).parts is not None]


def _layer_problems(
    spec: LevelSpec, name: str, layer: LayerSpec
) -> Iterator[tuple[ValuePath, str]]:
    place: ValuePath = ("layers", name)
    try:
        parts_of(spec, layer)
    except ParameterError as error:
        yield (*place, *error.path), error.message
        return
    if layer.options.size is not None and layer.options.size != spec.size:
        yield (*place, "size"), "a layer of a world has the size of the world (remove `size`)"
    if layer.options.require is not None or layer.limits:
        yield (*place, "require"), _needs_whole("what is required of its layers")
    parameters = layer.parameters
    if isinstance(parameters, JoiningParameters):
        if parameters.connect is not False:
            yield (*place, "connect"), _needs_whole("joining its regions")
        for key in ("fixed", "only_in", "never_in"):
            if isinstance(getattr(parameters, key), PaintedCells):
                message = "cells of a world are given by a layer, not by a picture"
                yield (*place, key), message


def _needs_whole(what: str) -> str:
    return f"a world is never whole, so {what} cannot be known (remove it, or `chunk`)"
