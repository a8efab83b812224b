"""List what a new level or layer can start from: presets and generators."""

from __future__ import annotations

from contextlib import suppress

from exporter.generators import GENERATORS, Generator
from exporter.model.errors import ExporterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import references
from exporter.project.reference.examples import DISPLAYED, example_spec
from exporter.project.templates import level_template, level_template_names
from exporter.reading.reader import parse_level

# One preset of each kind: a newcomer sees first how much levels can differ.
_FIRST = (
    "rooms-with-doors", "island-rivers", "caves", "village", "labyrinth", "wilderness-roads",
    "monsters-by-danger", "halls-in-caves",
)  # fmt: skip
# Headings of the other presets, by a word in their names.
_HEADINGS = {"caves": "Caves", "rooms": "Rooms", "island": "Islands", "labyrinth": "Labyrinths"}


@dataclass(frozen=True, slots=True)
class Starter:
    """A preset or generator to start from, as shown to users.

    Attributes:
        name: The name of a preset, or of a generator.
        summary: A description in a sentence or two.
        group: The heading under which it is listed; empty for those before all headings.
        text: The spec of an example level; empty if the example needs files of the user.
        layer: The layer of the example to show; empty for the whole level.
    """

    name: str
    summary: str
    group: str
    text: str
    layer: str = ""


def level_starters() -> list[Starter]:
    """Return the presets for a new level: first one of each kind."""
    groups = dict.fromkeys(_FIRST, "")
    for name in level_template_names():
        heading = next((heading for word, heading in _HEADINGS.items() if word in name), "")
        groups.setdefault(name, heading)
    found = [(level_template(name), group) for name, group in groups.items()]
    return [Starter(item.name, item.summary, group, item.text) for item, group in found]


def layer_starters() -> list[Starter]:
    """Return all generators, from which a layer can start."""
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
    """Return the heading for a generator, by how many layers it reads.

    `spec` is the text of its example; empty without one.
    """
    if not spec:
        return "Draw"
    layer = parse_level(spec.encode(), "example.level.yaml").layers[DISPLAYED]
    read = sum(item.rule.to == "layer" for item in references(layer.parameters))
    return ("Start from", "Shape", "Join")[min(read, 2)]
