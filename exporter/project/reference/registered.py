"""List all registered entries: generators, measures, codecs, formats ..."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from exporter.model.errors import RegistryError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.registry import Registry


@dataclass(frozen=True, slots=True)
class Registered:
    """A name in a registry, such as that of a generator.

    Attributes:
        kind: `generator`, `measure`, `sight rule`, `codec`, `format`, `target`, `puzzle` or
            `style`.
        name: The name that users write.
        summary: A line about the entry; empty if the entry cannot be used.
        origin: The distribution and version, or the module, that adds the entry; None if built in.
        problem: Why the entry cannot be used; empty if it can.
    """

    kind: str
    name: str
    summary: str
    origin: str | None
    problem: str = ""

    def report(self) -> dict[str, Any]:
        """Return the entry as a dictionary for JSON."""
        return {
            "kind": self.kind,
            "name": self.name,
            "summary": self.summary,
            "origin": self.origin,
            "problem": self.problem or None,
        }


def registries() -> dict[str, Registry[Any]]:
    """Return every registry, by the noun for its entries, such as `codec`."""
    from exporter.codecs import CODECS
    from exporter.formats import FORMATS
    from exporter.generators import GENERATORS
    from exporter.measures import MEASURES
    from exporter.puzzles import PUZZLES
    from exporter.targets import TARGETS
    from exporter.tilesets.styles import STYLES
    from exporter.visibility.algorithms import ALGORITHMS

    return {
        "generator": GENERATORS,
        "measure": MEASURES,
        "sight rule": ALGORITHMS,
        "codec": CODECS,
        "format": FORMATS,
        "target": TARGETS,
        "puzzle": PUZZLES,
        "style": STYLES,
    }


def registered() -> list[Registered]:
    """Return all entries of all registries, by kind and then name.

    The modules of all entries are imported.
    """
    return [entry for kind, registry in registries().items() for entry in _entries(kind, registry)]


def _entries(kind: str, registry: Registry[Any]) -> Iterator[Registered]:
    registry.usable()  # then all names are known
    for name in registry.names():
        summary = problem = ""
        try:
            summary = registry.get(name).summary
        except RegistryError as error:
            problem = str(error)
        yield Registered(kind, name, summary, registry.origin(name), problem)
