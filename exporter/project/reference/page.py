"""Write the reference of level specs from the dataclasses of their keys.

`python -m exporter.project.reference FOLDER` writes the pages; a test compares them with those in
`exporter/docs`. With `--extensions` they also list what installed third-party packages add.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from exporter.generators import GENERATORS
from exporter.model.registry import Registry
from exporter.project.reference import wording
from exporter.project.reference.sections import Sections, generator_notes
from exporter.project.settings_file import ProjectDocument
from exporter.reading.level_keys import LayerOptions, LevelDocument, VisibilityParameters
from exporter.reading.limit_keys import LevelRequirements, Limit, Requirements

HEADER = """# Level spec reference

These pages list every key of a `*.level.yaml`: its allowed values, its default and its effect.
`exporter schema` gives the same to editors. Coordinates are `x, y` in cells from the top left
corner. A name has letters, digits, `_` and `-`, at most 64, and begins with a letter or digit. A
layer can name the layers above it. `min_` and `max_` limits are inclusive.

```yaml
level: crypt                # default: the file's name; the name of every output begins with it
size: [100, 100]            # width and height in cells
seed: 12345                 # a number or text
layers:                     # in order; a later layer can use an earlier one
  ground:
    generator: visited_caves
    upper_limit: 10000
    connect: guaranteed     # one region, by the shortest carving
    require: {min_floor: 0.25}  # or the level fails, at this line
  relief: {generator: heightmap, size: [513, 513], maximum: 40}
visibility: {layer: ground, algorithm: symmetric, radius: 8}
objects:
  - {name: stairs_up, clear_radius: 2}
  - {name: chest, count: 6, spacing: 10, reachable_from: stairs_up}
tables:
  monsters: {columns: {name: text, hp: integer, boss: "boolean?"}, rows: [[rat, 3, false]]}
puzzles:
  vault: {kind: sudoku, clues: 28}
```

| page | content |
|---|---|
"""
REQUIRE_NOTE = "Every [metric](metrics.md) is a key, too, with limits: `farthest: {at_least: 80}`."
MISSION_NOTE = """A lock lies where two rooms meet, and has one cell or a row of them from wall
to wall. The player walks by 4 neighbours, never on a closed lock. She gets a key by stepping on
it, opens a lock from a cell beside it, and wins on the goal's cell.
[Missions](../../how-to/missions.md) has examples, and explains the proof."""
METRICS_HEADER = """# Metrics

`require`, `exporter stats` and `exporter.measure` take these names;
[Metrics and limits](../metrics.md) has examples. "Floor" are the cells that can be walked on.
`NAME`, `A` and `B` are names of objects, `N` is a number; put a name that is not a plain word in
quotes: `objects.'big-chest'`. A metric of a layer measures that layer's cells alone.
"""
FORMATS_HEADER = """## Formats

`formats` of a target takes these names. The files are written beside the target's own.
"""
_EACH = {
    "level": "the level",
    "tiles": "each tile layer",
    "heights": "each height layer",
    "layer": "each layer",
    "table": "each table",
    "puzzle": "each puzzle",
}


def reference_pages(*, extensions: bool = False) -> dict[str, str]:
    """Return the reference pages as Markdown, by file name.

    With `extensions` they include what third-party packages add.

    Raises:
        RegistryError: An entry of a third-party package cannot be used.
    """
    sections = Sections(
        {
            LayerOptions: ("layers", "Every layer"),
            LevelRequirements: ("require", "`require`"),
            Requirements: ("require", "`require` of a layer"),
            Limit: ("require", "Limits of a metric"),
            VisibilityParameters: ("visibility", "`visibility`"),
        }
    )
    rows = "".join(
        f"| [{item.title}]({name}.md) | {item.content} |\n" for name, item in _PAGES.items()
    )
    pages = {"index.md": HEADER + rows}
    for name, item in _PAGES.items():
        sections.page = name
        lines = item.lines(sections, extensions)
        pages[f"{name}.md"] = "\n".join(lines).rstrip("\n") + "\n"
    return pages


class _Page(NamedTuple):
    """A reference page.

    Attributes:
        title: The heading.
        content: What the page is about, for the list of pages.
        lines: Yields the page's lines; the second argument is whether to list third-party entries.
    """

    title: str
    content: str
    lines: Callable[[Sections, bool], Iterator[str]]


def _entries(registry: Registry[Any], extensions: bool) -> Iterator[tuple[str, Any, str]]:
    """Yield name, entry and origin of each entry of `registry`.

    The origin is a sentence that names the package of a third-party entry, else "". Third-party
    entries are left out without `extensions`.
    """
    registry.usable()  # then all names are known
    for name in registry.names():
        origin = registry.origin(name)
        if extensions or origin is None:
            yield name, registry.get(name), f"From {origin}." if origin else ""


def _level(page: Sections, extensions: bool) -> Iterator[str]:
    yield from page.section("The level", LevelDocument, 1)


def _layers(page: Sections, extensions: bool) -> Iterator[str]:
    yield from page.section("Every layer", LayerOptions, 1)


def _generators(page: Sections, extensions: bool) -> Iterator[str]:
    yield "# Generators\n"
    yield "A layer's `generator` makes its cells. These are all of them, with their keys.\n"
    for name, entry, note in _entries(GENERATORS, extensions):
        yield from page.section(f"`{name}`", entry.parameters, 2, generator_notes(entry, note))


def _objects(page: Sections, extensions: bool) -> Iterator[str]:
    from exporter.placement.parameters import ObjectParameters

    yield from page.section("An object of `objects`", ObjectParameters, 1)


def _visibility(page: Sections, extensions: bool) -> Iterator[str]:
    from exporter.visibility.algorithms import ALGORITHMS

    yield from page.section("`visibility`", VisibilityParameters, 1)
    yield "| algorithm | the rule of sight |"
    yield "|---|---|"
    for name, rule, note in _entries(ALGORITHMS, extensions):
        yield f"| `{name}` | {_cell(rule.summary, note)} |"


def _require(page: Sections, extensions: bool) -> Iterator[str]:
    yield from page.section("`require`", LevelRequirements, 1, REQUIRE_NOTE)
    yield from page.section("`require` of a layer", Requirements, 2)
    yield from page.section("Limits of a metric", Limit, 2)


def _metrics(page: Sections, extensions: bool) -> Iterator[str]:
    from exporter.measures import MEASURES
    from exporter.measures.names import spellings

    yield METRICS_HEADER
    yield "| metric | unit | range | of | meaning | definition from |"
    yield "|---|---|---|---|---|---|"
    for _, metric, note in _entries(MEASURES, extensions):
        if metric.number is None:
            continue
        names = ", ".join(f"`{name}`" for name in spellings(metric))
        extent = "0 or more" if metric.most is None else f"0 to {wording.number(metric.most)}"
        state = "levels" if metric.needs else "levels, layers"
        about = _cell(f"{metric.summary} {metric.definition}".strip(), note)
        yield f"| {names} | {metric.unit} | {extent} | {state} | {about} | {metric.source} |"


def _mission(page: Sections, extensions: bool) -> Iterator[str]:
    from exporter.missions.parameters import MissionParameters

    yield from page.section("`mission`", MissionParameters, 1, MISSION_NOTE)


def _tables(page: Sections, extensions: bool) -> Iterator[str]:
    from exporter.model.tables.table import TableParameters

    yield from page.section("A table of `tables`", TableParameters, 1)


def _puzzles(page: Sections, extensions: bool) -> Iterator[str]:
    from exporter.puzzles import PUZZLES

    yield "# Puzzles\n"
    yield (
        "`puzzles` puts puzzles into a level's files, for the game to show at doors and chests. "
        "These are the kinds of puzzles and their keys.\n"
    )
    for name, kind, note in _entries(PUZZLES, extensions):
        yield from page.section(f"`kind: {name}`", kind.parameters, 2, note)


def _tileset(page: Sections, extensions: bool) -> Iterator[str]:
    from exporter.model.tileset import TilesetOptions
    from exporter.tilesets.styles import STYLES

    yield from page.section("`tileset`", TilesetOptions, 1)
    yield "| style | looks like |"
    yield "|---|---|"
    for name, style, note in _entries(STYLES, extensions):
        yield f"| `{name}` | {_cell(style.summary, note)} |"


def _settings(page: Sections, extensions: bool) -> Iterator[str]:
    from exporter.formats import FORMATS
    from exporter.targets import TARGETS

    yield "# exporter.yaml\n"
    yield "This file makes a folder a project: where its specs are, and where outputs go.\n"
    yield from page.section("The project", ProjectDocument, 2)
    for name, target, note in _entries(TARGETS, extensions):
        yield from page.section(f"The `{name}` target", target.options, 2, note)
    yield FORMATS_HEADER
    yield "| format | one file for | its name ends with | what it does |"
    yield "|---|---|---|---|"
    for name, entry, note in _entries(FORMATS, extensions):
        about = _cell(entry.summary, note)
        yield f"| `{name}` | {_EACH[entry.each]} | `.{entry.suffix}` | {about} |"


def _cell(summary: str, note: str) -> str:
    return f"{summary} {note}".strip().replace("|", "\\|")


# In reading order.
_PAGES = {
    "level": _Page("The level", "size, seed, budget and the lists of everything else", _level),
    "layers": _Page("Every layer", "the keys that all layers have", _layers),
    "generators": _Page("Generators", "caves, rooms, mazes, heights, roads, light", _generators),
    "objects": _Page("Objects", "placement by distance, room and path; spawning", _objects),
    "visibility": _Page("Visibility", "the radius and the rule of sight", _visibility),
    "require": _Page("Requirements", "limits that fail a level", _require),
    "metrics": _Page("Metrics", "the name, unit and definition of each", _metrics),
    "mission": _Page("Mission", "locks and keys, proven for every order of play", _mission),
    "tables": _Page("Tables", "typed rows", _tables),
    "puzzles": _Page("Puzzles", "sudoku locks", _puzzles),
    "tileset": _Page("Tileset", "drawn tiles and tiles of your own", _tileset),
    "settings": _Page("exporter.yaml", "the project, its targets and formats", _settings),
}
