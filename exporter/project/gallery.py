"""List what levels and layers can start from, each with a sentence."""

from __future__ import annotations

from contextlib import suppress

from exporter.generators import GENERATORS, Generator
from exporter.model.errors import ExporterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import references
from exporter.project.reference.examples import DISPLAYED, example_spec
from exporter.project.templates import level_template, level_template_names
from exporter.reading.reader import parse_level


@dataclass(frozen=True, slots=True)
class Starter:
    """What a level or a layer can start from.

    Attributes:
        name: The name of a preset, or of a generator.
        summary: What it is, in a sentence or two.
        group: The title under which it is listed.
        text: The spec of a level that shows it; empty where it needs files of the user.
        layer: The layer that shows it alone; empty for all of the level.
    """

    name: str
    summary: str
    group: str
    text: str
    layer: str = ""


def level_starters() -> list[Starter]:
    """Return what a level can start from: every preset."""
    found = map(level_template, level_template_names())
    return [Starter(item.name, item.summary, "Presets", item.text) for item in found]


def layer_starters() -> list[Starter]:
    """Return what a layer can start from: every generator, also of others."""
    starters = []
    for name in sorted(GENERATORS.names()):
        with suppress(ExporterError):  # a generator of others, or its example, may be broken
            starters.append(_layer_starter(GENERATORS.get(name)))
    return starters


def _layer_starter(entry: Generator) -> Starter:
    spec = example_spec(entry) or ""
    measures = entry.role == "data"
    group = "Measure" if measures else _group(spec)
    return Starter(entry.name, entry.summary, group, spec, DISPLAYED if measures else "")


def _group(spec: str) -> str:
    """Return a generator's group, by the layers that its example reads."""
    if not spec:
        return "Draw"
    layer = parse_level(spec.encode(), "example.level.yaml").layers[DISPLAYED]
    read = sum(item.rule.to == "layer" for item in references(layer.parameters))
    return ("Start from", "Shape", "Join")[min(read, 2)]
