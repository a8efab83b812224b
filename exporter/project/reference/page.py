"""The reference page of the level spec, written from the same dataclasses that validate it.

`python -m exporter.project.reference` prints the page; a test holds the committed one against it.
With `--extensions` it also has what the installed packages bring, and says which one does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from exporter.generators import GENERATORS
from exporter.model.registry import Registry
from exporter.project.reference import wording
from exporter.project.reference.sections import Sections, generator_notes
from exporter.project.settings_file import ProjectDocument
from exporter.reading.level_spec import (
    LayerOptions,
    LevelDocument,
    LevelRequirements,
    Limit,
    Requirements,
    VisibilityParameters,
)

HEADER = """# Level spec reference

Every key of a `*.level.yaml`: what it allows, its default, and what it does. `exporter schema`
gives the same to editors. Coordinates are `x, y` in cells from the top left corner. A name has
letters, digits, `_` and `-`, at most 64, and begins with a letter or digit. A layer can name the
layers above it. `min_` and `max_` limits are inclusive.
"""
REQUIRE_NOTE = "Every metric below is a key, too, with limits: `farthest: {at_least: 80}`."
METRICS_HEADER = """### Metrics

What `require`, `exporter stats` and `exporter.measure` know; see [metrics](metrics.md). "Floor" are
the cells that can be walked on. `NAME`, `A` and `B` are names of objects, `N` is a number; a name
that is no plain word stands in quotes: `objects.'big-chest'`. A metric of a layer is measured of
that layer's cells alone.
"""
FORMATS_HEADER = """### Formats

What `formats` of a target may name. The files go beside the target's own; a format whose files
the target writes anyway is refused.
"""
_EACH = {
    "level": "the level",
    "tiles": "each tile layer",
    "heights": "each height layer",
    "layer": "each layer",
    "table": "each table",
    "puzzle": "each puzzle",
}


def reference_page(*, extensions: bool = False) -> str:
    """Return the page as Markdown.

    Args:
        extensions: Whether to include what other packages add.

    Raises:
        RegistryError: What another package brings cannot be used.
    """
    return "\n".join(_lines(extensions)) + "\n"


def _entries(registry: Registry[Any], extensions: bool) -> Iterator[tuple[str, Any, str]]:
    """Yield names, entries and a note: who brings it, if that is another package."""
    registry.usable()  # then all names are known
    for name in registry.names():
        origin = registry.origin(name)
        if extensions or origin is None:
            yield name, registry.get(name), f"From {origin}." if origin else ""


def _lines(extensions: bool) -> Iterator[str]:
    from exporter.formats import FORMATS
    from exporter.model.tables.table import TableParameters
    from exporter.model.tileset import TilesetOptions
    from exporter.placement.parameters import ObjectParameters
    from exporter.puzzles import PUZZLES
    from exporter.targets import TARGETS
    from exporter.tilesets.styles import STYLES
    from exporter.visibility.algorithms import ALGORITHMS

    page = Sections(
        {
            Requirements: "`require` of a layer",
            LevelRequirements: "`require`",
            VisibilityParameters: "`visibility`",
        }
    )
    yield HEADER
    yield from page.section("The level", LevelDocument, 2)
    yield from page.section("Every layer", LayerOptions, 2)
    yield from page.section("`require`", LevelRequirements, 2, REQUIRE_NOTE)
    yield from page.section("`require` of a layer", Requirements, 2)
    yield from page.section("Limits of a metric", Limit, 3)
    yield from _metrics(extensions)
    yield from page.section("`visibility`", VisibilityParameters, 2)
    yield "| algorithm | the rule of sight |"
    yield "|---|---|"
    for name, rule, note in _entries(ALGORITHMS, extensions):
        yield f"| `{name}` | {_cell(rule.summary, note)} |"
    yield ""
    yield from page.section("An object of `objects`", ObjectParameters, 2)
    yield from page.section("A table of `tables`", TableParameters, 2)
    yield from page.section("`tileset`", TilesetOptions, 2)
    yield "| style | what it looks like |"
    yield "|---|---|"
    for name, style, note in _entries(STYLES, extensions):
        yield f"| `{name}` | {_cell(style.summary, note)} |"
    yield ""
    yield "## Generators\n"
    for name, entry, note in _entries(GENERATORS, extensions):
        notes = generator_notes(entry, note)
        yield from page.section(f"`{name}`", entry.parameters, 3, notes)
    yield "## Puzzles\n"
    for name, kind, note in _entries(PUZZLES, extensions):
        yield from page.section(f"`kind: {name}`", kind.parameters, 3, note)
    yield "## exporter.yaml\n"
    yield from page.section("The project", ProjectDocument, 3)
    for name, target, note in _entries(TARGETS, extensions):
        yield from page.section(f"The `{name}` target", target.options, 3, note)
    yield FORMATS_HEADER
    yield "| format | one file for | its name ends with | what it is |"
    yield "|---|---|---|---|"
    for name, entry, note in _entries(FORMATS, extensions):
        about = _cell(entry.summary, note)
        yield f"| `{name}` | {_EACH[entry.each]} | `.{entry.suffix}` | {about} |"
    yield ""


def _metrics(extensions: bool) -> Iterator[str]:
    """Yield the table of all metrics."""
    from exporter.measures import MEASURES
    from exporter.measures.names import spellings

    yield METRICS_HEADER
    yield "| metric | unit | range | of | what it is | definition from |"
    yield "|---|---|---|---|---|---|"
    for _, metric, note in _entries(MEASURES, extensions):
        if metric.number is None:
            continue
        names = ", ".join(f"`{name}`" for name in spellings(metric))
        extent = "0 or more" if metric.most is None else f"0 to {wording.number(metric.most)}"
        whose = "levels" if metric.needs else "levels, layers"
        about = _cell(f"{metric.summary} {metric.definition}".strip(), note)
        yield f"| {names} | {metric.unit} | {extent} | {whose} | {about} | {metric.source} |"
    yield ""


def _cell(summary: str, note: str) -> str:
    """Return what a row of a table says of an entry."""
    return f"{summary} {note}".strip().replace("|", "\\|")
