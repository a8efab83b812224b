"""Change values in the text of a spec, or say why that is impossible.

Only the characters of changed values are replaced; comments, order, quotes, line ends and style
stay, and new entries follow the style of their neighbours. After every step the text is parsed
again. If it does not give exactly the earlier data with the change applied, including types and the
order of keys, nothing is changed at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from exporter.model.errors import SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.reading.change_edits import Edits, scalar_edits, ways
from exporter.reading.change_steps import find_value, simple_steps
from exporter.reading.changes import (
    Change,
    Insert,
    Refused,
    RefusedError,
    SetValue,
    data_after,
    named,
    same_data,
)
from exporter.reading.json_text import is_json
from exporter.reading.text_edits import BYTE_ORDER_MARK, applied
from exporter.reading.yaml_reader import Document, Path, read_document


@dataclass(frozen=True, slots=True)
class Changed:
    """The text of a spec before and after it was changed.

    Attributes:
        before: The earlier text.
        after: The new text.
        data: The data of the new text.
        document: The new text with the position of each value; None if it was not parsed.
    """

    before: bytes
    after: bytes
    data: Any
    document: Document | None = field(default=None, repr=False, compare=False)


def changed_spec(
    content: bytes, file: str, changes: Sequence[Change], document: Document | None = None
) -> Changed | Refused:
    """Apply all `changes` to the text of a spec, or say why it is impossible.

    Args:
        content: The text as YAML or JSON.
        file: The name of the file for messages.
        changes: The changes, applied in order.
        document: The parsed text, if it was parsed before.
    """
    try:
        changing = _Changing(content, file, document)
        for change in changes:
            changing.make(change)
        return changing.result()
    except RefusedError as error:
        return error.refused


class _Changing:
    """A spec's text that is changed step by step.

    `document` is the text after the changes so far.
    """

    def __init__(self, content: bytes, file: str, document: Document | None = None) -> None:
        self.before = content
        self.content = content
        self.file = file
        try:
            self.document = document or read_document(content, file)
        except SpecError as error:
            raise _unreadable(error) from None
        # A word that readers take for different values can be changed; a key given twice cannot.
        doubts = set(self.document.doubts.values())
        faults = [problem for problem in self.document.problems if problem not in doubts]
        if faults:
            raise _unreadable(SpecError(faults))

    def result(self) -> Changed:
        return Changed(self.before, self.content, self.document.data, self.document)

    def make(self, change: Change) -> None:
        for steps in _together(self.document.data, simple_steps(self.document.data, change)):
            self._step(steps)

    def _step(self, steps: Sequence[Change]) -> None:
        """Apply `steps`: a single change, or replacements of several plain values."""
        data = self.document.data
        for step in steps:
            data = data_after(data, step)
        if same_data(data, self.document.data):
            return
        for edits in self._ways(steps):
            if self._take(edits, data, steps):
                return
        if len(steps) > 1:
            for step in steps:
                self._step([step])
            return
        raise RefusedError(
            f"{named(steps[0].path)} cannot be changed in place in line "
            f"{_line_of(self.document, steps[0].path)} (write each key on a line of its own, "
            "`key: value`)"
        )

    def _ways(self, steps: Sequence[Change]) -> Iterator[Edits]:
        """Yield possible edits of the text for `steps`, the best first."""
        if len(steps) > 1:
            yield [
                edit
                for step in steps
                if isinstance(step, SetValue)
                for edit in scalar_edits(self.document, step.path, step.value)
            ]
            return
        step, position = steps[0], 0
        if isinstance(step, Insert):
            last = step.path[-1]
            position = last if isinstance(last, int) else step.index or 0
        yield from ways(self.document, step, position)

    def _take(self, edits: Edits, data: Any, steps: Sequence[Change]) -> bool:
        """Accept `edits` if they give the intended data; return whether they do.

        `data` is what the data must be after `steps`.
        """
        mark = BYTE_ORDER_MARK if self.before.startswith(BYTE_ORDER_MARK) else b""
        content = mark + applied(self.document.text, edits).encode()
        try:
            document = read_document(content, self.file)
        except SpecError:
            return False
        known = {problem.message for problem in self.document.problems}
        if any(problem.message not in known for problem in document.problems):
            return False
        if not same_data(document.data, data):
            return False
        if is_json(self.document.text) and not is_json(document.text):
            return False
        self.document, self.content = document, content
        return True


def _together(data: Any, steps: Sequence[Change]) -> Iterator[list[Change]]:
    """Yield groups of `steps` that can be applied to the text at once.

    Adjacent replacements of plain values form a group; any other step is alone.
    """
    group: list[Change] = []
    for step in steps:
        if _is_plain(data, step):
            group.append(step)
            continue
        if group:
            yield group
            group = []
        yield [step]
    if group:
        yield group


def _is_plain(data: Any, step: Change) -> bool:
    """Return whether `step` replaces one plain value of `data` by another."""
    if not isinstance(step, SetValue) or isinstance(step.value, list | dict):
        return False
    there, old = find_value(data, step.path)
    return there and not isinstance(old, list | dict)


def _line_of(document: Document, path: Path) -> int:
    """Return the line, from 1, of `path` or of its nearest existing parent."""
    while path and path not in document.values:
        path = path[:-1]
    mark = document.keys.get(path) or document.values.get(path)
    return 1 if mark is None else mark.line + 1


def _unreadable(error: SpecError) -> RefusedError:
    first = error.problems[0]
    return RefusedError(f"line {first.line}: {first.message}", error.problems)
