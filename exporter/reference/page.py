"""The reference page of the level spec, written from the same dataclasses that validate it.

`python -m exporter.reference` prints the page; a test holds the committed one against it.
With `--extensions` it also has what the installed packages bring, and says which one does.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from typing import Any

from exporter.generators import GENERATORS
from exporter.model.registry import Registry
from exporter.project.settings_file import ProjectDocument
from exporter.reading.level_spec import (
    LayerOptions,
    LevelDocument,
    LevelRequirements,
    Limit,
    Requirements,
    VisibilityParameters,
)
from exporter.reference import wording

HEADER = """# Level spec reference

Every key of a `*.level.yaml`: what it allows, its default, and what it does. `exporter schema`
gives the same to editors. Coordinates are `x, y` in cells from the top left corner. A name has
letters, digits, `_` and `-`, at most 64, and begins with a letter or digit. A layer can name the
layers above it. `min_` and `max_` limits are inclusive. Other words for a name are only for finding
it: a spec that has one is refused, with the name to write.
"""
# What outer keys hold is checked one by one, beside what else the spec says.
_OUTER = {
    "layers": "mapping of layers, see [every layer](#every-layer) and [generators](#generators)",
    "objects": "list of [objects](#an-object-of-objects)",
    "tables": "mapping of [tables](#a-table-of-tables)",
    "puzzles": "mapping of [puzzles](#puzzles)",
    "tileset": "mapping, see [`tileset`](#tileset)",
    "targets": "mapping of targets, see below",
}
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
    for name in registry.names() if extensions else registry.built_in():
        origin = registry.origin(name)
        yield name, registry.get(name), f"From {origin}." if origin else ""


def _lines(extensions: bool) -> Iterator[str]:
    from exporter.formats import FORMATS
    from exporter.model.tileset import TilesetOptions
    from exporter.placement.parameters import ObjectParameters
    from exporter.puzzles import PUZZLES
    from exporter.tables.table import TableParameters
    from exporter.targets import TARGETS
    from exporter.tilesets.styles import STYLES
    from exporter.visibility.algorithms import ALGORITHMS

    page = _Page()
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
        role = "" if entry.role == "play" else f"Its layers are `{entry.role}` by default."
        world = "" if entry.parts is None else "It can make [worlds](worlds.md)."
        parts = (f"Recipe {entry.version}.", role, world, note, wording.words(entry.also))
        notes = " ".join(part for part in parts if part)
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
    from exporter.metrics import METRICS
    from exporter.metrics._names import spellings

    yield METRICS_HEADER
    yield "| metric | unit | range | of | what it is | definition from |"
    yield "|---|---|---|---|---|---|"
    for _, metric, note in _entries(METRICS, extensions):
        names = ", ".join(f"`{name}`" for name in spellings(metric))
        extent = "0 or more" if metric.most is None else f"0 to {wording.number(metric.most)}"
        whose = "levels" if metric.needs else "levels, layers"
        about = _cell(f"{metric.summary} {metric.definition}".strip(), note)
        yield f"| {names} | {metric.unit} | {extent} | {whose} | {about} | {metric.source} |"
    yield ""


def _cell(summary: str, note: str) -> str:
    """Return what a row of a table says of an entry."""
    return f"{summary} {note}".strip().replace("|", "\\|")


class _Page:
    """Sections, and which dataclass has its table where."""

    def __init__(self) -> None:
        self.titles: dict[type[Any], str] = {
            Requirements: "`require` of a layer",
            LevelRequirements: "`require`",
            VisibilityParameters: "`visibility`",
        }

    def section(self, title: str, kind: type[Any], depth: int, note: str = "") -> Iterator[str]:
        """Yield the lines of a dataclass, then those of the dataclasses in its fields."""
        self.titles[kind] = title
        yield f"{'#' * depth} {title}\n"
        text = inspect.getdoc(kind) or ""
        yield from (f"{paragraph}\n" for paragraph in (text, note) if paragraph)
        yield "| key | allowed | default | what it does |"
        yield "|---|---|---|---|"
        hints = wording.hints_of(kind)
        inside = [one for hint in hints.values() for one in wording.nested(hint)]
        unknown = [one for one in dict.fromkeys(inside) if one not in self.titles]
        for one in unknown:
            self.titles[one] = self._title(one)
        for field in dataclasses.fields(kind):
            yield self._row(field, hints[field.name])
        yield ""
        for one in unknown:
            yield from self.section(self.titles[one], one, depth + 1)

    def _title(self, kind: type[Any]) -> str:
        """Return a title for a nested dataclass that nothing else has."""
        words = re.findall(r"[A-Z][a-z0-9]*", kind.__name__)
        title = " ".join(word for word in words if word not in ("Options", "Parameters"))
        title = f"A {title.lower()}"
        while title in self.titles.values():
            title += f" of {kind.__module__.partition('.')[0]}"
        return title

    def _link(self, kind: type[Any]) -> str:
        title = self.titles[kind]
        return f"mapping, see [{title[:1].lower()}{title[1:]}](#{_anchor(title)})"

    def _row(self, field: dataclasses.Field[Any], hint: Any) -> str:
        about = wording.about(hint)
        allowed = wording.allowed(hint, self._link)
        if "any value" in allowed:
            allowed = _OUTER.get(field.name, allowed)
        if about.unit:
            allowed += f" {about.unit}" if about.unit.startswith("%") else f" ({about.unit})"
        text = " ".join(part for part in (about.text, wording.words(about.also)) if part)
        cells = (f"`{field.name}`", allowed, wording.default(field), text)
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _anchor(title: str) -> str:
    """Return how a heading is linked to within the page."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
