"""The reference page of the level spec, written from the same dataclasses that validate it.

`python -m exporter.reference` prints the page; a test holds the committed one against it.
With `--extensions` it also has what the installed packages bring, and says which one does.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from exporter.generators import GENERATORS
from exporter.model.parameters import About, Within
from exporter.model.registry import Registry
from exporter.project.settings_file import ProjectDocument
from exporter.reading.level_spec import (
    LayerOptions,
    LevelDocument,
    Requirements,
    VisibilityParameters,
)

_PLAIN = {
    "int": "whole number",
    "float": "number",
    "str": "text",
    "bool": "true or false",
    "NoneType": "nothing",
    "dict": "mapping",
    "Mapping": "mapping",
    "tuple": "list",
    "Any": "value",
}
HEADER = """# Level spec reference

Every key a `*.level.yaml` may have, what it allows and what it is when left out. The editor gets
the same from `exporter schema`. Coordinates are `x, y` in cells from the top left corner.
"""
FORMATS_HEADER = """### Formats

What `formats` of a target may name. The files go beside the target's own; a format whose files
the target writes anyway is refused.
"""
_EACH = {
    "level": "the level",
    "tiles": "each tile layer",
    "heights": "each height layer",
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
    from exporter.visibility.algorithms import ALGORITHMS

    yield HEADER
    yield from _section("The level", LevelDocument, 2)
    yield from _section("Every layer", LayerOptions, 2)
    yield from _section("`require`", Requirements, 2)
    yield from _section("`visibility`", VisibilityParameters, 2)
    yield "| algorithm | the rule of sight |"
    yield "|---|---|"
    for name, rule, note in _entries(ALGORITHMS, extensions):
        yield f"| `{name}` | {_cell(rule.summary, note)} |"
    yield ""
    yield from _section("An object of `objects`", ObjectParameters, 2)
    yield from _section("A table of `tables`", TableParameters, 2)
    yield from _section("`tileset`", TilesetOptions, 2)
    yield "## Generators\n"
    for name, entry, note in _entries(GENERATORS, extensions):
        notes = f"Recipe {entry.version}. {note}".strip()
        yield from _section(f"`{name}`", entry.parameters, 3, notes)
    yield "## Puzzles\n"
    for name, kind, note in _entries(PUZZLES, extensions):
        yield from _section(f"`kind: {name}`", kind.parameters, 3, note)
    yield "## exporter.yaml\n"
    yield from _section("The project", ProjectDocument, 3)
    for name, target, note in _entries(TARGETS, extensions):
        yield from _section(f"The `{name}` target", target.options, 3, note)
    yield FORMATS_HEADER
    yield "| format | one file for | its name ends with | what it is |"
    yield "|---|---|---|---|"
    for name, entry, note in _entries(FORMATS, extensions):
        about = _cell(entry.summary, note)
        yield f"| `{name}` | {_EACH[entry.each]} | `.{entry.suffix}` | {about} |"
    yield ""


def _cell(summary: str, note: str) -> str:
    """Return what a row of a table says of an entry."""
    return f"{summary} {note}".strip().replace("|", "\\|")


def _section(title: str, kind: type[Any], depth: int, note: str = "") -> Iterator[str]:
    yield f"{'#' * depth} {title}\n"
    text = inspect.getdoc(kind) or ""
    if text:
        yield f"{text} {note}".strip() + "\n"
    yield "| key | allowed | default | what it does |"
    yield "|---|---|---|---|"
    hints = get_type_hints(kind, include_extras=True)
    for field in dataclasses.fields(kind):
        yield _row(field, hints[field.name])
    yield ""


def _row(field: dataclasses.Field[Any], hint: Any) -> str:
    about = next((m for m in _metadata(hint) if isinstance(m, About)), About(""))
    text = about.text.replace("|", "\\|")
    allowed = _allowed(hint) + (f" ({about.unit})" if about.unit else "")
    return f"| `{field.name}` | {allowed} | {_default(field)} | {text} |"


def _metadata(hint: Any) -> list[Any]:
    return list(hint.__metadata__) if get_origin(hint) is Annotated else []


def _default(field: dataclasses.Field[Any]) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return "none"
    if field.default is dataclasses.MISSING:
        return "**needed**"
    value = field.default
    if value is None or value == ():
        return "none"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    if isinstance(value, tuple):
        return f"`{list(value)}`"
    return f"`{value}`"


def _allowed(hint: Any) -> str:
    """Word what a type annotation allows."""
    if get_origin(hint) is Annotated:
        within = next((m for m in hint.__metadata__ if isinstance(m, Within)), None)
        inner = _allowed(get_args(hint)[0])
        if within is None:
            return inner
        low, high = (f"{limit:g}" if limit < 1e6 else str(int(limit)) for limit in _limits(within))
        if within.length:
            return f"{inner}, {low} to {high} long"
        return inner.replace("whole number", f"{low} to {high}").replace(
            "number", f"{low} to {high}"
        )
    origin, arguments = get_origin(hint), get_args(hint)
    name = getattr(hint, "__name__", str(hint))
    if str(origin) == "typing.Literal":
        return ", ".join(f"`{_literal(value)}`" for value in arguments)
    if origin is tuple:
        if len(arguments) == 2 and arguments[1] is ...:
            return f"list of {_allowed(arguments[0])}"
        return "[" + ", ".join(_allowed(argument) for argument in arguments) + "]"
    if origin is not None and getattr(origin, "__name__", "") in ("dict", "Mapping"):
        return f"mapping of {_allowed(arguments[1])}"
    if arguments:
        members = [_allowed(one) for one in arguments if one is not type(None)]
        return " or ".join(dict.fromkeys(members))
    if dataclasses.is_dataclass(hint):
        return "mapping, see there"
    return _PLAIN.get(name, name)


def _limits(within: Within) -> tuple[float, float]:
    return within.minimum, within.maximum


def _literal(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
