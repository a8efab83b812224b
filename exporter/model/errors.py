"""Define the exporter's errors as one tree.

    ExporterError            user-fixable; the command line prints it without a traceback
    ├── SpecError            a level spec or exporter.yaml is wrong, at a line
    ├── RegistryError        a name without a usable entry
    ├── ParameterError       a generator or placement step cannot fulfil its request
    │   ├── ExtensionError   the code of another distribution failed
    │   ├── NotMeasurableError   a level lacks the subject of a metric
    │   └── LevelError       a target cannot fulfil the level spec, at a line of the spec
    ├── ArgumentError        invalid arguments that only the project can reveal
    ├── BlobError            broken, truncated or foreign binary data
    └── StoreError           the file system failed
        ├── HeldError        another program holds a file open: worth a retry
        ├── FarmError        a shared store or a cluster cannot be used
        ├── ChangedFileError a file changed since it was read
        └── OutsideError     a path leads out of the project

An error's message gives the problem, the reason and a fix. Any other exception is a bug in the
exporter and keeps its traceback.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

from exporter.model.lazy_dataclass import dataclass

Severity = Literal["error", "warning"]

# Characters of a message, and columns of the line of the file that is shown below it.
MAXIMUM_MESSAGE = 2000
EXCERPT = 200


class ExporterError(Exception):
    """Base class of all errors that a user can fix."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault in a text file: its position, and a message with a fix.

    `line` and `column` count from 1. `source` is the text of the line, and `length` the number of
    characters to underline. `path` has the keys that lead to the value at fault, even if the file
    does not contain it; empty if unknown, and ignored when two problems are compared.
    """

    message: str
    file: str
    line: int = 1
    column: int = 1
    source: str = ""
    length: int = 1
    severity: Severity = "error"
    path: tuple[str | int, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        """Shorten a `message` that quotes a long text; keep the fix at its end."""
        if len(self.message) > MAXIMUM_MESSAGE:
            half = MAXIMUM_MESSAGE // 2
            object.__setattr__(self, "message", f"{self.message[:half]}...{self.message[-half:]}")

    def headline(self) -> str:
        """Return the line `file:line:column: error: message`."""
        from exporter.model.excerpts import for_terminals

        # Line breaks in a file's name would put a part of it on a separate line.
        file = self.file.replace("\n", "\ufffd")
        text = f"{file}:{self.line}:{self.column}: {self.severity}: {self.message}"
        return for_terminals(text)

    def render(self, width: int = EXCERPT) -> str:
        """Format the headline, the source line, and a caret under the fault.

        A source line longer than `width` terminal columns is cut around the fault.
        """
        from exporter.model.excerpts import excerpt

        displayed = excerpt(self.source, self.column - 1, self.length, self.line, width)
        return f"{self.headline()}\n{displayed}" if displayed else self.headline()


class SpecError(ExporterError):
    """A spec or exporter.yaml cannot be used; carries all problems found.

    `file`, `line` and `column` are those of the first problem. `files` are the input files that
    were read or looked for, relative to the project's folder; empty if unknown.
    """

    files: tuple[str, ...] = ()

    def __init__(self, problems: list[Problem] | tuple[Problem, ...]) -> None:
        if not problems:
            raise ValueError("a SpecError was raised without a problem (give at least one)")
        self.problems = tuple(problems)
        super().__init__("\n".join(problem.render() for problem in self.problems))

    @property
    def file(self) -> str:
        """The file of the first problem."""
        return self.problems[0].file

    @property
    def line(self) -> int:
        """The line of the first problem, from 1."""
        return self.problems[0].line

    @property
    def column(self) -> int:
        """The column of the first problem, from 1."""
        return self.problems[0].column

    def __reduce__(self) -> tuple[type[SpecError], tuple[tuple[Problem, ...]]]:
        """Support pickling: worker processes raise this error."""
        return (type(self), (self.problems,))


class ParameterError(ExporterError):
    """A generator or placement step cannot work with its parameters.

    `path` has the keys that lead to the parameter inside its layer or object group, as `("size",)`;
    the build turns the error into a `SpecError` at that line.
    """

    def __init__(self, message: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.path = path

    def __reduce__(self) -> tuple[type[ParameterError], tuple[str, tuple[str | int, ...]]]:
        return (type(self), (self.message, self.path))


class ExtensionError(ParameterError):
    """The code of a third-party package failed.

    The message names the distribution and the error.
    """


class NotMeasurableError(ParameterError):
    """A level or layer lacks what a metric measures."""


class LevelError(ParameterError):
    """A target cannot export a level because of something in its spec.

    `path` leads to the fault in the spec (that of any other `ParameterError` from a target leads
    into the target's own options). `others` are further errors to report together with this one.
    """

    def __init__(
        self, message: str, path: tuple[str | int, ...] = (), others: tuple[LevelError, ...] = ()
    ) -> None:
        super().__init__(message, path)
        self.others = others

    def __reduce__(self) -> tuple[type[LevelError], tuple[Any, ...]]:
        return (type(self), (self.message, self.path, self.others))


class RegistryError(ExporterError, KeyError):
    """A name has no usable entry in a registry: unknown, taken, or broken."""

    def __str__(self) -> str:
        return str(self.args[0])


class ArgumentError(ExporterError):
    """A command's arguments do not fit the content of the project."""


class BlobError(ExporterError):
    """Binary data is not a valid blob or frame: damaged, hostile or too new."""


class StoreError(ExporterError):
    """The file system failed: no space, no permission, a blocked path."""


class HeldError(StoreError):
    """Another program holds a file open, so it cannot be replaced now."""


class FarmError(StoreError):
    """A shared store, or a cluster that shares the work, cannot be used.

    `is_reported` is True once the export has shown the error.
    """

    is_reported = False


class ChangedFileError(StoreError):
    """A file changed since it was read, so it is not overwritten.

    `present` is the file's present content; None if the file is gone.
    """

    def __init__(self, message: str, present: bytes | None) -> None:
        super().__init__(message)
        self.message = message
        self.present = present

    def __reduce__(self) -> tuple[type[ChangedFileError], tuple[str, bytes | None]]:
        return (type(self), (self.message, self.present))


class OutsideError(StoreError):
    """A path leads outside the folders that a project may write to.

    `trustable` is True if the user may allow the path; paths in folders of version control are
    never allowed.
    """

    def __init__(self, message: str, *, trustable: bool = False) -> None:
        super().__init__(message)
        self.trustable = trustable
