"""Check the requirements of a spec on a whole world and its layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from exporter.build.requirements import Breach, Figure, broken_limits, broken_metrics
from exporter.build.world_facts import WorldFacts
from exporter.reading.level_spec import LevelSpec
from exporter.reading.limit_keys import MetricLimit, Requirements
from exporter.reading.yaml_reader import Path as ValuePath


def required_layers(spec: LevelSpec) -> list[str]:
    """Return the layers with requirements; "" for all `play` layers together."""
    result = [
        name
        for name, layer in spec.layers.items()
        if layer.limits or (layer.options.require and layer.options.require.limits_cells())
    ]
    if spec.limits or (spec.require is not None and spec.require.limits_cells()):
        result.append("")
    return result


def unmet_requirements(
    spec: LevelSpec, facts: Mapping[str, WorldFacts]
) -> Iterator[tuple[ValuePath, str, Breach]]:
    """Yield each unmet requirement: its path, a message, and its breach.

    Args:
        spec: The spec.
        facts: The facts about the layers that `required_layers` names.
    """
    for name, known in facts.items():
        if name:
            layer = spec.layers[name]
            position: ValuePath = ("layers", name, "require")
            result = _broken(layer.options.require, layer.limits, known)
            what = f"layer {name!r}"
        else:
            position, what = ("require",), "the world"
            result = _broken(spec.require, spec.limits, known)
        for path, breach in result.items():
            yield (*position, *path), f"{what}: {breach.text}", breach


def _broken(
    require: Requirements | None, limits: Iterable[MetricLimit], known: WorldFacts
) -> dict[tuple[str, ...], Breach]:
    broken: dict[tuple[str, ...], Breach] = {}
    certificate = known.certificate()
    if require is not None:
        remaining = broken_limits(certificate, True, require)
        broken = {(key,): breach for key, breach in remaining.items()}
    # Requirements that surveys cannot check in so large a world are refused when the spec is read.
    figures: dict[str, Figure] = {
        "regions": certificate.regions_after,
        "floor": certificate.floor / certificate.cells,
        "dead_ends": certificate.dead_ends,
        "farthest": certificate.farthest,
        "chokes": certificate.chokes,
    }
    return broken | broken_metrics(limits, figures)
