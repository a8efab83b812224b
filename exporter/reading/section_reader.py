"""Collect the sections' values and problems; see `reading.sections`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from exporter.model.errors import ParameterError, Problem, RegistryError
from exporter.model.limits import MAXIMUM_PROBLEMS, MAXIMUM_SIDE
from exporter.model.parameters import Parameters
from exporter.model.registry import Registry
from exporter.reading.validation import PartialSpec, check, nothing_omitted, parse_partial
from exporter.reading.yaml_reader import Document
from exporter.reading.yaml_reader import Path as ValuePath

if TYPE_CHECKING:
    from exporter.model.tables.table import TableParameters

Size = tuple[int, int]
# Replaces a faulty size: nothing is too large for it.
_ANY_SIZE = (MAXIMUM_SIDE, MAXIMUM_SIDE)


class TooManyProblemsError(Exception):
    """Too many problems were found for more of them to help."""


class SectionReader:
    """One pass over a document; problems are collected, not raised one by one.

    Faulty parts are left out of further checks, and so is all that depends on them: a wrong size is
    reported, but not that a maze does not fit it.

    Attributes:
        document: The file.
        problems: The problems found so far.
        omitted: The paths of faulty values, which were left out.
        size: The size of the level; None if it is at fault.
        sizes: The size of each layer that could be read; None for one at fault.
        object_places: For each object entry that could be read its index in the file.
        good_tables: The valid tables.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = []
        self.omitted: list[ValuePath] = []
        self.size: Size | None = None
        self.sizes: dict[str, Size | None] = {}
        self.object_places: list[int] = []
        self.good_tables: dict[str, TableParameters] = {}

    def note(self, path: ValuePath, message: str, *, at_key: bool = False) -> None:
        """Add a problem at a path."""
        self.add(self.document.problem(path, message, at_key=at_key))

    def add(self, *problems: Problem) -> None:
        """Add problems.

        Raises:
            TooManyProblemsError: There are enough of them.
        """
        self.problems += problems
        if len(self.problems) + len(self.document.problems) > MAXIMUM_PROBLEMS:
            raise TooManyProblemsError

    def has(self, *path: str | int) -> bool:
        """Whether a path has its value from the file, with nothing left out."""
        return nothing_omitted(path, self.omitted)

    def entries(self, key: str) -> dict[str, Any]:
        """Return the named entries of an outer key, also faulty ones."""
        entries = self.document.data.get(key)
        return entries if isinstance(entries, dict) else {}

    def check(self, kind: type[Any], data: Any, path: ValuePath) -> Any:
        """Return data as a dataclass, or note its problems and return None."""
        checked, problems = check(kind, data, self.document, path)
        self.add(*problems)
        return checked

    def parse_partial(self, kind: type[Any], data: Any, path: ValuePath) -> PartialSpec[Any]:
        """Read data as a dataclass from its valid parts; record other problems."""
        read = parse_partial(kind, data, self.document, path)
        self.add(*read.problems)
        self.omitted += [(*path, *item) for item in read.omitted]
        return read

    def consistent(self, parameters: Parameters, size: Size | None, path: ValuePath) -> None:
        """Check parameters among each other, and for a size if known."""
        try:
            parameters.check(*(size or _ANY_SIZE))
        except ParameterError as error:
            inside = (*path, *error.path)
            if error.path == ("size",) and self.document.get(inside) is None:
                inside = error.path  # the level's size, at the top of the spec
            self.note(inside, error.message)

    def attempt(self, path: ValuePath, step: Callable[..., Any], *arguments: Any) -> bool:
        """Take a step and note its problem. Return whether it succeeded."""
        try:
            step(*arguments)
        except ParameterError as error:
            self.note((*path, *error.path), error.message)
            return False
        return True

    def registered(
        self, registry: Registry[Any], name: str, path: ValuePath, *, at_key: bool = False
    ) -> Any:
        """Return the entry of a name, or record that it is missing."""
        try:
            return registry.get(name)
        except RegistryError as error:
            self.note(path, str(error), at_key=at_key)
            return None

    @contextmanager
    def failures_reported(
        self, registry: Registry[Any], name: str, path: ValuePath
    ) -> Iterator[None]:
        """Report exceptions of another package's parameters; ours are bugs."""
        try:
            yield
        except TooManyProblemsError:
            raise
        except Exception as error:
            if registry.origin(name) is None:
                raise
            self.note(path, registry.failure(name, error))
