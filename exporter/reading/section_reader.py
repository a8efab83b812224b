"""Collect values and problems while the sections of a spec are read."""

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
    """Raised to stop reading when there are as many problems as are shown."""


class SectionReader:
    """Collects the problems of one spec instead of raising the first.

    Invalid parts, and all that depends on them, are left out of further checks: a wrong size is
    reported, but not that a maze does not fit this size.

    Attributes:
        document: The spec's file, with the position of each value.
        problems: The problems found so far.
        omitted: The paths of invalid values, which were left out.
        size: The width and height of the level; None if invalid.
        sizes: The size of each valid layer; None if the size is invalid.
        object_places: For each valid entry of `objects`, its index in the file.
        good_tables: The valid tables by name.
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
        """Add a problem with text `message` at the value at `path`.

        With `at_key`, the problem is at the value's key instead.
        """
        self.add(self.document.problem(path, message, at_key=at_key))

    def add(self, *problems: Problem) -> None:
        """Add `problems`.

        Raises:
            TooManyProblemsError: There are more problems than are reported.
        """
        self.problems += problems
        if len(self.problems) + len(self.document.problems) > MAXIMUM_PROBLEMS:
            raise TooManyProblemsError

    def has(self, *path: str | int) -> bool:
        """Return whether `path` is valid: nothing in or around it was left out."""
        return nothing_omitted(path, self.omitted)

    def entries(self, key: str) -> dict[str, Any]:
        """Return the mapping at top-level key `key`, with any invalid entries.

        Return an empty mapping if the key is missing or has another value.
        """
        entries = self.document.data.get(key)
        return entries if isinstance(entries, dict) else {}

    def check(self, kind: type[Any], data: Any, path: ValuePath) -> Any:
        """Read `data`, found at `path`, into the dataclass `kind`.

        If the data is invalid, add its problems and return None.
        """
        checked, problems = check(kind, data, self.document, path)
        self.add(*problems)
        return checked

    def parse_partial(self, kind: type[Any], data: Any, path: ValuePath) -> PartialSpec[Any]:
        """Read the valid parts of `data`, found at `path`, into `kind`.

        Add the problems of the other parts.
        """
        read = parse_partial(kind, data, self.document, path)
        self.add(*read.problems)
        self.omitted += [(*path, *item) for item in read.omitted]
        return read

    def consistent(self, parameters: Parameters, size: Size | None, path: ValuePath) -> None:
        """Check that `parameters` fit each other and the width and height `size`.

        If they do not, add a problem inside `path`. If `size` is None, any size will do.
        """
        try:
            parameters.check(*(size or _ANY_SIZE))
        except ParameterError as error:
            inside = (*path, *error.path)
            if error.path == ("size",) and self.document.get(inside) is None:
                inside = error.path  # the level's size, at the top of the spec
            self.note(inside, error.message)

    def attempt(self, path: ValuePath, step: Callable[..., Any], *arguments: Any) -> bool:
        """Call `step(*arguments)`; add its `ParameterError` as a problem.

        The problem is inside `path`. Return whether there was no error.
        """
        try:
            step(*arguments)
        except ParameterError as error:
            self.note((*path, *error.path), error.message)
            return False
        return True

    def registered(
        self, registry: Registry[Any], name: str, path: ValuePath, *, at_key: bool = False
    ) -> Any:
        """Return the entry `name` of `registry`, or None if it has no such entry.

        If it has none, add a problem at the value at `path`, or with `at_key` at its key.
        """
        try:
            return registry.get(name)
        except RegistryError as error:
            self.note(path, str(error), at_key=at_key)
            return None

    @contextmanager
    def failures_reported(
        self, registry: Registry[Any], name: str, path: ValuePath
    ) -> Iterator[None]:
        """Report exceptions of third-party code as problems at `path`.

        The code belongs to the entry `name` of `registry`. If that is built into the exporter, its
        exceptions are bugs and pass through.
        """
        try:
            yield
        except TooManyProblemsError:
            raise
        except Exception as error:
            if registry.origin(name) is None:
                raise
            self.note(path, registry.failure(name, error))
