"""Read YAML text into plain data with the position of every value.

The text is read as a stream of parser events, not through `yaml.load`: the event parser does not
recurse (a hundred thousand opening brackets crash `yaml.load`), and every event has its position.
Unquoted values follow the YAML 1.2 core rules that editors use. The traps of YAML 1.1 (`yes`,
`010`, `1_000`, duplicate keys, exploding aliases) are errors with a fix.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from exporter.model.errors import Problem, Severity, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_PROBLEMS, MAXIMUM_SPEC_BYTES
from exporter.model.text_budget import YAML, over_budget
from exporter.model.texts import NOT_TEXT, character_name
from exporter.reading.json_text import is_json, json_events
from exporter.reading.yaml_faults import slip_in
from exporter.reading.yaml_scalars import plain_scalar

if TYPE_CHECKING:
    import yaml

Path = tuple[str | int, ...]

MAXIMUM_DEPTH = 32
MAXIMUM_VALUES = 100_000

MAXIMUM_DISPLAYED = 200  # characters of a value in a message

_DEPTH = f"nested too deeply (allowed: {MAXIMUM_DEPTH} levels)"
# How parsers that read ahead begin the message about their own limit.
_TOO_DEEP = ("while increasing flow level", "while increasing block level")

# A value without quotes, also between brackets, up to a comment.
_VALUE = re.compile(r"(?:(?! #)[^,\[\]{}\r\n])*")
# A comment with no space behind its sign, where a value could stand: a colour, or another text.
_TEXT_COMMENT = re.compile(r"[ \t]*(#[0-9a-fA-F]{3,8}\b|#[^\s#!][^\r\n]{0,60}?(?=[ \t\r]*$))", re.M)
_COLOR = re.compile(r"#[0-9a-fA-F]{3,8}")
_NOT_TEXT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """The position of a value or key in a text.

    Attributes:
        line: The line, from 0.
        column: The column, from 0.
        length: The number of characters to mark in messages.
        start: The offset of the first character.
        end: The offset after the last one; equals `start` for lists and mappings in block style,
            whose end is unknown.
    """

    line: int
    column: int
    length: int = 1
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class Document:
    """The data of a file, and the position of every value and key by path.

    Attributes:
        file: The file's name as shown to the user.
        text: The whole text.
        data: Mappings (with text keys), lists, text, numbers, booleans and None.
        values: The position of each value, by path.
        keys: The position of each key, by the path of its entry.
        problems: Faults that did not stop the reading: duplicate keys, ambiguous values.
        doubts: The problems with ambiguous values, by path. If a later check refuses the value for
            its type, only the check's message is reported.
        quoted: The paths of quoted values.
        reported: The paths of values with a reported problem, which later checks skip.
    """

    file: str
    text: str
    data: Any = None
    values: dict[Path, Mark] = field(default_factory=dict)
    keys: dict[Path, Mark] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    doubts: dict[Path, Problem] = field(default_factory=dict)
    quoted: set[Path] = field(default_factory=set)
    reported: set[Path] = field(default_factory=set)
    _lines: list[str] | None = None

    def problem(
        self, path: Path, message: str, *, at_key: bool = False, severity: Severity = "error"
    ) -> Problem:
        """Return a problem at the line of the value at `path`.

        With `at_key`, it is at the value's key instead. If the path is not in the file, it is at
        the nearest parent.
        """
        about = path
        if at_key and path in self.keys:
            return self.problem_at(self.keys[path], message, severity, about)
        while path and path not in self.values:
            path = path[:-1]
        mark = self.values.get(path, Mark(0, 0))
        key = self.keys.get(path)
        if key is not None and key.line != mark.line and isinstance(self.get(path), dict | list):
            # A block mapping begins on the line after its key: the key is the better pointer.
            mark = key
        return self.problem_at(mark, message, severity, about)

    def problem_at(
        self, mark: Mark, message: str, severity: Severity = "error", path: Path = ()
    ) -> Problem:
        """Return a problem at `mark`; `path` is the value's path, if known."""
        if self._lines is None:
            self._lines = self.text.split("\n")
        source = self._lines[mark.line].rstrip("\r") if mark.line < len(self._lines) else ""
        line, column = mark.line + 1, mark.column + 1
        return Problem(message, self.file, line, column, source, mark.length, severity, path)

    def get(self, path: Path) -> Any:
        """Return the value at `path`, or None if it is missing."""
        value = self.data
        for step in path:
            if isinstance(value, list):
                inside = isinstance(step, int) and step < len(value)
            else:
                inside = isinstance(value, dict) and step in value
            if not inside:
                return None
            value = value[step]
        return value


def read_document(
    content: bytes,
    file: str,
    *,
    maximum_bytes: int = MAXIMUM_SPEC_BYTES,
    maximum_values: int = MAXIMUM_VALUES,
    allow_empty: bool = True,
) -> Document:
    """Parse a YAML or JSON file into data with the position of each value.

    Reading goes on after most faults. The document collects them in `problems`, to be raised
    together with problems of later checks.

    Args:
        content: The bytes of the file.
        file: The name of the file for messages.
        maximum_bytes: The largest size in bytes.
        maximum_values: The largest number of values and keys.
        allow_empty: Whether a key may have no value; else an empty value is a problem.

    Raises:
        SpecError: Reading had to stop: a syntax error, a forbidden feature, or a limit.
    """
    document = Document(file, "")
    message = over_budget(content, YAML)
    if message:
        raise SpecError([Problem(f"the file {message}", file)])
    if len(content) > maximum_bytes:
        message = f"the file is {len(content)} bytes long (allowed: {maximum_bytes})"
        raise SpecError([Problem(message, file)])
    document.text = _decode(content, file)
    bad = _NOT_TEXT.search(document.text)
    if bad:
        before = document.text[: bad.start()]
        mark = Mark(before.count("\n"), len(before) - (before.rfind("\n") + 1))
        message = f"character {character_name(bad.group())} is not allowed in YAML"
        raise SpecError([document.problem_at(mark, message)])
    reader = _YamlReader(document, maximum_values, allow_empty)
    reader.read()
    if reader.ended:
        raise SpecError(reader.problems)
    document.problems = reader.problems
    return document


def _decode(content: bytes, file: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - (content.rfind(b"\n", 0, error.start) + 1) + 1
        message = f"byte 0x{content[error.start]:02X} is not UTF-8 (save the file as UTF-8)"
        raise SpecError([Problem(message, file, line, column)]) from None


def _events(text: str) -> Iterator[yaml.Event]:
    import yaml

    if is_json(text):
        return json_events(text)
    # Files are small and the pure parser is as safe as libyaml's, only slower.
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    events: Iterable[yaml.Event] = yaml.parse(text, Loader=loader)
    return iter(events)


def settled(document: Document, problems: Iterable[Problem]) -> list[Problem]:
    """Return all problems of `document` in the order of the text, each once.

    `problems` were found after parsing. If one is at an ambiguous value, it replaces the problem
    that the parser reported there.
    """
    result = list(problems)
    places = {(problem.line, problem.column) for problem in result}
    about = {problem.path for problem in result}
    doubts = set(document.doubts.values())
    read = [
        problem
        for problem in document.problems
        if problem not in doubts
        or ((problem.line, problem.column) not in places and problem.path not in about)
    ]
    return sorted(
        dict.fromkeys([*read, *result]), key=lambda fromkey: (fromkey.line, fromkey.column)
    )


class _StopReading(Exception):  # noqa: N818 - a signal, not an error
    """Raised to stop the reading; the problem is recorded already."""


class _YamlReader:
    """Builds a document's data from parser events with an explicit stack."""

    def __init__(self, document: Document, maximum_values: int, allow_empty: bool) -> None:
        self.document = document
        self.maximum_values = maximum_values
        self.allow_empty = allow_empty
        self.problems: list[Problem] = []
        self.values = 0
        self.ended = False

    def read(self) -> None:
        import yaml

        try:
            self._read_events()
        except _StopReading:
            self.ended = True
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line, column = (mark.line, mark.column) if mark is not None else (0, 0)
            self.ended = True
            if getattr(error, "context", None) in _TOO_DEEP:
                self.problems.append(self.document.problem_at(Mark(line, column), _DEPTH))
                return
            slip = slip_in(self.document.text, line, column)
            position = Mark(slip.line, slip.column, slip.length)
            self.problems.append(self.document.problem_at(position, slip.message))

    def _note(self, mark: Mark, message: str, path: Path = ()) -> None:
        self.problems.append(self.document.problem_at(mark, message, path=path))
        if len(self.problems) >= MAXIMUM_PROBLEMS:
            raise _StopReading

    def _fail(self, mark: Mark, message: str) -> None:
        self._note(mark, message)
        raise _StopReading

    def _read_events(self) -> None:
        import yaml

        # Each open container: its path, the container, and a mapping's pending key.
        stack: list[tuple[Path, dict[str, Any] | list[Any]]] = []
        waiting: list[str | None] = []
        documents = 0
        for event in _events(self.document.text):
            mark = _mark_of(event)
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._fail(mark, "`---` begins a second document (a file holds one)")
                continue
            if isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
                self._close(stack.pop()[0], mark)
                waiting.pop()
                continue
            if isinstance(event, yaml.AliasEvent):
                way_out = f"write the value out, or as text {self._quoted(mark)}"
                self._fail(mark, f"aliases are not supported ({way_out})")
            if not isinstance(event, yaml.NodeEvent):
                continue
            self._check_node(event, mark)
            if stack and isinstance(stack[-1][1], dict) and waiting[-1] is None:
                waiting[-1] = self._key(event, mark, stack[-1][0], stack[-1][1])
                continue
            path = self._path_of_next(stack, waiting)
            if isinstance(event, yaml.ScalarEvent):
                self._store(stack, waiting, path, mark, self._scalar(event, mark, path))
                continue
            if len(stack) >= MAXIMUM_DEPTH:
                self._fail(mark, _DEPTH)
            container: dict[str, Any] | list[Any] = (
                {} if isinstance(event, yaml.MappingStartEvent) else []
            )
            self._store(stack, waiting, path, mark, container)
            stack.append((path, container))
            waiting.append(None)

    def _close(self, path: Path, bracket: Mark) -> None:
        """Record that the list or mapping at `path` ends with `bracket`."""
        mark = self.document.values[path]
        if mark.end > mark.start:
            self.document.values[path] = replace(mark, end=bracket.end)

    def _check_node(self, event: Any, mark: Mark) -> None:
        self.values += 1
        if self.values > self.maximum_values:
            self._fail(mark, f"too many values (allowed: {self.maximum_values})")
        if getattr(event, "anchor", None):
            way_out = f"write the value out where it is used, or as text {self._quoted(mark)}"
            self._fail(mark, f"anchors are not supported ({way_out})")
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!":
            text = self._quoted(mark)
            self._fail(
                mark, f"tags are not supported (remove {text[1:-1].split()[0]}, or as text {text})"
            )

    def _quoted(self, mark: Mark) -> str:
        """Return the text at `mark` in quotes, for a message that suggests these."""
        result = _VALUE.match(self.document.text, mark.start)
        text = result[0].rstrip() if result is not None else ""
        return "'" + text.replace("'", "''")[:MAXIMUM_DISPLAYED] + "'"

    def _key(self, event: Any, mark: Mark, path: Path, container: dict[str, Any]) -> str:
        import yaml

        if not isinstance(event, yaml.ScalarEvent):
            self._fail(mark, "the key is a list or a mapping (use text as the key)")
        key = self._text(str(event.value), mark, path, escaped=event.style == '"')
        position = (*path, key)
        if key in container:
            first = self.document.keys[position].line + 1
            message = f"the key {key!r} is given twice (first in line {first}; remove one)"
            self._note(mark, message, position)
        else:
            self.document.keys[position] = mark
        return key

    def _path_of_next(
        self, stack: list[tuple[Path, dict[str, Any] | list[Any]]], waiting: list[str | None]
    ) -> Path:
        if not stack:
            return ()
        path, container = stack[-1]
        if isinstance(container, dict):
            key = waiting[-1]
            assert key is not None
            return (*path, key)
        return (*path, len(container))

    def _store(
        self,
        stack: list[tuple[Path, dict[str, Any] | list[Any]]],
        waiting: list[str | None],
        path: Path,
        mark: Mark,
        value: Any,
    ) -> None:
        self.document.values[path] = mark
        if not stack:
            self.document.data = value
            return
        container = stack[-1][1]
        if isinstance(container, dict):
            key = waiting[-1]
            assert key is not None
            container[key] = value
            waiting[-1] = None
        else:
            container.append(value)

    def _scalar(self, event: Any, mark: Mark, path: Path) -> Any:
        text = str(event.value)
        if not event.implicit[0]:  # quoted or block text
            self.document.quoted.add(path)
            if NOT_TEXT.search(text):
                self.document.reported.add(path)
            return self._text(text, mark, path, escaped=event.style == '"')
        if not text and not self.allow_empty and self._is_doubtful(mark, path):
            return None
        value, complaint = plain_scalar(text)
        if complaint:
            self._note(mark, complaint, path)
            self.document.doubts[path] = self.problems[-1]
        return value

    def _is_doubtful(self, mark: Mark, path: Path) -> bool:
        """Record a problem if the value at `path` is empty by mistake.

        Return whether the cause is a `#` that begins a comment, as in `color: #ff0000`.
        """
        comment = _TEXT_COMMENT.match(self.document.text, mark.start)
        if comment is not None:
            position = replace(mark, column=mark.column + comment.start(1) - mark.start)
            position = replace(position, length=len(comment[1]))
            message = f"a # begins a comment (write '{comment[1]}' in quotes for a colour)"
            if not _COLOR.fullmatch(comment[1]):
                quoted = comment[1].replace("'", "''")
                message = f"nothing is given here, only a comment (if it is text, write '{quoted}')"
            self._note(position, message, path)
            self.document.reported.add(path)
            return True
        if path and isinstance(path[-1], str):
            message = "nothing is given here (write a value after the colon, or remove the key)"
            self._note(mark, message, path)
            self.document.doubts[path] = self.problems[-1]
        return False

    def _text(self, text: str, mark: Mark, path: Path, *, escaped: bool = False) -> str:
        """Return `text`; record a problem if it has a forbidden character.

        `escaped` is true for a text in double quotes, in which an escape can give such a character.
        """
        bad = NOT_TEXT.search(text)
        if bad:
            way_out = "remove it"
            if escaped:
                way_out += ", write \\\\ for a backslash, or use single quotes"
            message = f"the text has the character {character_name(bad.group())} ({way_out})"
            self._note(mark, message, path)
        return text


def _mark_of(event: Any) -> Mark:
    start, end = event.start_mark, event.end_mark
    if start is None:
        return Mark(0, 0)
    length = end.column - start.column if end is not None and end.line == start.line else 1
    behind = end.index if end is not None else start.index
    if getattr(event, "flow_style", True) is not True:
        behind = start.index  # of a list in block style the event may span the first hyphen
    return Mark(start.line, start.column, max(1, length), start.index, behind)
