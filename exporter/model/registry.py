"""Registries: a folder of modules in which a file's name is the name users write.

`Registry("exporter.generators", ...)` knows its entries without importing them, so `--help` and
error messages stay cheap; a module is imported when its entry is used. Other distributions add
entries through entry points of the same group name; they are looked up only for names the
folder does not have.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, Generic, TypeVar

Entry = TypeVar("Entry")


class Registry(Generic[Entry]):
    """Named entries, each defined by one module of a package.

    Args:
        package: Dotted name of the package; also the entry point group.
        what: What an entry is called in messages (`generator`).
    """

    def __init__(self, package: str, what: str) -> None:
        self.package = package
        self.what = what
        self._entries: dict[str, Entry] = {}

    def names(self) -> list[str]:
        """Return the built-in names in alphabetical order, without importing anything."""
        package = importlib.import_module(self.package)
        return sorted(
            module.name
            for module in pkgutil.iter_modules(package.__path__)
            if not module.name.startswith("_")
        )

    def add(self, name: str, entry: Entry) -> None:
        """Register an entry; its module calls this (through a decorator) when imported."""
        if name in self._entries:
            raise ValueError(f"two {self.what}s are called {name!r}")
        self._entries[name] = entry

    def get(self, name: str) -> Entry:
        """Return the entry, importing its module if need be.

        Raises:
            KeyError: With a message that names what exists and what was probably meant.
        """
        if name not in self._entries:
            if name in self.names():
                importlib.import_module(f"{self.package}.{name}")
            else:
                self._load_entry_point(name)
        return self._entries[name]

    def all(self) -> dict[str, Entry]:
        """Import every built-in module and return all entries by name."""
        for name in self.names():
            self.get(name)
        return dict(sorted(self._entries.items()))

    def unknown(self, name: str) -> str:
        """Say that `name` does not exist, what does, and what was probably meant."""
        return unknown_name(self.what, name, self.names())

    def _load_entry_point(self, name: str) -> None:
        from importlib.metadata import entry_points

        for point in entry_points(group=self.package, name=name):
            loaded: Callable[[], Any] = point.load()
            if name in self._entries:
                return
            raise KeyError(f"{point.value} did not register the {self.what} {name!r}: {loaded!r}")
        raise KeyError(self.unknown(name))


def unknown_name(what: str, name: str, known: list[str]) -> str:
    """Word an unknown name: what was probably meant, or all that is known."""
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
    return f"unknown {what} {name!r} ({hint})"
