"""Decode table files to text, and report faults in them."""

from __future__ import annotations

from collections.abc import Mapping

from exporter.model.errors import Problem, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_INPUT_BYTES
from exporter.model.text_budget import over_budget


@dataclass(frozen=True, slots=True)
class TableSource:
    """The text of a file with a table, and the file's name for messages."""

    text: str
    file: str

    def error(self, offset: int, message: str) -> SpecError:
        """Return an error with `message` at character `offset`, from 0.

        The error has the line and column of that character.
        """
        before = self.text.count("\n", 0, offset)
        start = self.text.rfind("\n", 0, offset) + 1
        return self.error_at(before + 1, offset - start + 1, message)

    def error_at(self, line: int, column: int, message: str) -> SpecError:
        """Return an error with `message` at `line` and `column`, from 1."""
        lines = self.text.split("\n")
        source = lines[line - 1].rstrip("\r") if line <= len(lines) else ""
        return SpecError([Problem(message, self.file, line, column, source)])


def source_of(content: bytes, file: str, costs: Mapping[bytes, int]) -> TableSource:
    """Decode a table's file, unless parsing it would take too much memory.

    `file` is the file's name, for messages. `costs` has the bytes of memory that parsing takes for
    each occurrence of a character, such as a comma.

    Raises:
        SpecError: The file is too large, or not UTF-8.
    """
    if len(content) > MAXIMUM_INPUT_BYTES:
        message = f"the file is {len(content)} bytes long (allowed: {MAXIMUM_INPUT_BYTES})"
        raise SpecError([Problem(message, file)])
    message = over_budget(content, costs)
    if message:
        raise SpecError([Problem(f"the file {message}", file)])
    try:
        return TableSource(content.decode("utf-8-sig"), file)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        message = f"byte 0x{content[error.start]:02X} is not UTF-8 (save the file as UTF-8)"
        raise SpecError([Problem(message, file, line, column)]) from None
