"""Document dataclasses as tables of fields: values, default and meaning."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from exporter.generators import Generator
from exporter.model.parameters import key_of
from exporter.project.reference import wording

# Contents of outer keys are documented one by one.
_OUTER = {
    "layers": "mapping of layers, see [every layer](layers.md) and [generators](generators.md)",
    "objects": "list of [objects](objects.md)",
    "tables": "mapping of [tables](tables.md)",
    "puzzles": "mapping of [puzzles](puzzles.md)",
    "tileset": "mapping, see [`tileset`](tileset.md)",
    "mission": "mapping, see [`mission`](mission.md)",
    "targets": "mapping of targets, see below",
}


def generator_notes(entry: Generator, note: str) -> str:
    """Return the notes on a generator's page that follow its docstring.

    The last of them is `note`, a sentence that names the package of a third-party generator.
    """
    role = "" if entry.role == "play" else f"Its layers are `{entry.role}` by default."
    world = "" if entry.parts is None else "It can make [worlds](../../how-to/worlds.md)."
    parts = (f"Recipe {entry.version}.", role, world, note)
    return " ".join(part for part in parts if part)


class Sections:
    """Writes sections with tables, and links to nested dataclasses.

    Attributes:
        page: The file name of the page being written; links to other pages contain theirs.
        titles: The page and the section title of each dataclass.
    """

    def __init__(
        self, titles: Mapping[type[Any], tuple[str, str]] = MappingProxyType({}), page: str = ""
    ) -> None:
        """Start with `titles`: those of sections on other pages, or further below."""
        self.page = page
        self.titles = dict(titles)

    def section(self, title: str, kind: type[Any], depth: int, note: str = "") -> Iterator[str]:
        """Yield the section of a dataclass, and those of its nested dataclasses.

        Args:
            title: The heading.
            kind: The dataclass.
            depth: The level of the heading.
            note: Text above the table.
        """
        yield f"{'#' * depth} {title}\n"
        text = inspect.getdoc(kind) or ""
        yield from (f"{paragraph}\n" for paragraph in (text, note) if paragraph)
        yield from self.table(title, kind, depth)

    def table(self, title: str, kind: type[Any], depth: int) -> Iterator[str]:
        """Yield a dataclass's table of fields, then the nested sections.

        Args:
            title: The heading of the section.
            kind: The dataclass.
            depth: The level of the heading.
        """
        self.titles[kind] = self.page, title
        hints = wording.hints_of(kind)
        inside = [item for hint in hints.values() for item in wording.nested(hint)]
        unknown = [fromkey for fromkey in dict.fromkeys(inside) if fromkey not in self.titles]
        for item in unknown:
            self.titles[item] = self.page, self._title(item)
        fields = {field.name: field for field in dataclasses.fields(kind)}
        groups = getattr(kind, "option_groups", {})
        grouped = [name for names in groups.values() for name in names]
        others = [name for name in fields if name not in grouped]
        # A page of many sections would repeat the headings.
        listed = {"": others, **groups} if depth == 1 else {"": [*others, *grouped]}
        for heading, names in listed.items():
            if heading:
                yield f"{'#' * (depth + 1)} {heading}\n"
            yield "| key | allowed | default | what it does |"
            yield "|---|---|---|---|"
            yield from (self._row(fields[name], hints[name]) for name in names)
            yield ""
        for entry in unknown:
            yield from self.section(self.titles[entry][1], entry, depth + 1)

    def _title(self, kind: type[Any]) -> str:
        """Make a title for nested dataclass `kind` that the page does not use yet."""
        words = re.findall(r"[A-Z][a-z0-9]*", kind.__name__)
        title = " ".join(word for word in words if word not in ("Options", "Parameters"))
        title = f"A {title.lower()}"
        while (self.page, title) in self.titles.values():
            title += f" of {kind.__module__.partition('.')[0]}"
        return title

    def _link(self, kind: type[Any]) -> str:
        page, title = self.titles[kind]
        file = "" if page == self.page else f"{page}.md"
        return f"mapping, see [{title[:1].lower()}{title[1:]}]({file}#{_anchor(title)})"

    def _row(self, field: dataclasses.Field[Any], hint: Any) -> str:
        about = wording.about(hint)
        allowed = wording.allowed(hint, self._link)
        if "any value" in allowed:
            allowed = _OUTER.get(field.name, allowed)
        if about.unit:
            allowed += f" {about.unit}" if about.unit.startswith("%") else f" ({about.unit})"
        cells = (f"`{key_of(field.name)}`", allowed, wording.default(field), about.text)
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _anchor(title: str) -> str:
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
