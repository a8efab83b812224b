"""Parse and check requests for contact sheets of seeds.

There are three kinds of sheets: many seeds, with parameters varied as by `exporter seeds --vary`; a
sweep, which keeps the seed and tries values of one or two parameters in a grid; and the levels of
an exported pack.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from exporter.model.errors import ExporterError
from exporter.model.lazy_dataclass import dataclass
from exporter.studio.events import SeedsEvent

# Seeds of many levels have 31 bits, as in `exporter seeds`: every stream accepts them.
MAXIMUM_SEED = (1 << 31) - 1
# A larger sheet is unreadable, and its messages may have to wait for a slow tab.
MAXIMUM_LEVELS = 500
# The values that a parameter takes in a sweep.
MAXIMUM_STEPS = 25
MAXIMUM_SWEPT = 2
_MOST_VARIED = 8
_LONGEST_TEXT = 2000
_MOST_SHEETS = 1 << 31


class SheetError(ExporterError):
    """A requested sheet is impossible, because of one field of the page.

    Attributes:
        field: `count`, `first`, `where`, `vary` or `steps`; empty for the draft itself.
        text: The message.
        start: Where the fault begins in the text of the field; None for the whole text.
        length: How many characters the fault spans.
    """

    def __init__(self, field: str, text: str, start: int | None = None, length: int = 0) -> None:
        super().__init__(text)
        self.field = field
        self.text = text
        self.start = start
        self.length = length

    def __reduce__(self) -> tuple[type[SheetError], tuple[str, str, int | None, int]]:
        """Support pickling."""
        return (type(self), (self.field, self.text, self.start, self.length))


@dataclass(frozen=True, slots=True)
class SheetTask:
    """A requested contact sheet, as data for another process.

    Attributes:
        content: The text of the spec.
        file: The spec's name for messages.
        folder: The folder that file names in the spec are relative to.
        root: The folder its input files must lie in; None for `folder`.
        edits: The text of the hand edits; None without any.
        max_seconds: Levels that take longer by estimate are refused.
        sheet: The page's number of the sheet.
        count: The number of levels.
        first: The first of consecutive seeds; None for the seeds that `exporter seeds` tries.
        skip: How many of these seeds to skip.
        where: The condition that levels should meet; empty for any.
        vary: The parameters that are varied, as `exporter seeds --vary` takes them.
        steps: How many values each parameter takes in a grid; empty for many seeds.
        seed: The seed of all levels in a grid; None for the spec's seed.
        pack: The file of the pack whose levels are shown; None for a sheet of a draft's levels.
        pack_state: A text that changes with the pack's file.
    """

    content: bytes
    file: str
    folder: Path
    root: Path | None
    edits: bytes | None
    max_seconds: float
    sheet: int
    count: int = 100
    first: int | None = None
    skip: int = 0
    where: str = ""
    vary: tuple[str, ...] = ()
    steps: tuple[int, ...] = ()
    seed: int | str | None = None
    pack: Path | None = None
    pack_state: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """The first message about a sheet, and the number of its levels."""

    count: int
    event: SeedsEvent


@dataclass(frozen=True, slots=True)
class Batch:
    """A group of finished levels of a sheet.

    Attributes:
        message: The message that shows the levels.
        levels: How many levels these are.
        matched: How many of the levels meet the condition.
        failed: How many of the levels failed.
    """

    message: bytes
    levels: int
    matched: int
    failed: int


def sheet_number(message: dict[str, Any]) -> int:
    """Return the page's number of the sheet that `message` requests, or 0."""
    number: Any = message.get("sheet")
    return int(number) if _is_whole(number, 0, _MOST_SHEETS) else 0


def requested_fields(message: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of `SheetTask` that a request contains, checked.

    Raises:
        SheetError: The message requests something impossible.
    """
    first, seed, skip = message.get("first"), message.get("seed"), message.get("skip", 0)
    count, where = message.get("count", 100), message.get("where", "")
    if not _is_whole(count, 1, MAXIMUM_LEVELS):
        raise SheetError("count", f"count: {_value_text(count)} (allowed: 1 to {MAXIMUM_LEVELS})")
    last = MAXIMUM_SEED - count + 1
    if first is not None and not _is_whole(first, 0, last):
        raise SheetError("first", f"first seed: {_value_text(first)} (allowed: 0 to {last})")
    if not _is_whole(skip, 0, last):
        raise SheetError("first", f"skip: {_value_text(skip)} (allowed: 0 to {last})")
    if len(where) > _LONGEST_TEXT:
        raise SheetError("where", f"the condition has more than {_LONGEST_TEXT} characters")
    if seed is not None and not (_is_whole(seed, -(1 << 63), 1 << 63) or _is_text(seed)):
        raise SheetError("", "the seed of a sweep is a whole number or a text")
    vary = _texts(message.get("vary", []))
    steps = _steps(message.get("steps", []), len(vary))
    return {
        "sheet": sheet_number(message),
        "count": count,
        "first": first,
        "skip": skip,
        "where": where.strip() and where,
        "vary": vary,
        "steps": steps,
        "seed": seed,
    }


def _texts(values: list[str]) -> tuple[str, ...]:
    if len(values) <= _MOST_VARIED and all(len(value) <= _LONGEST_TEXT for value in values):
        return tuple(values)
    raise SheetError(
        "vary",
        f"the parameters are too many or too long (allowed: {_MOST_VARIED}, each "
        f"LAYER.PARAMETER=LOW..HIGH of at most {_LONGEST_TEXT} characters)",
    )


def _steps(values: list[Any], varied: int) -> tuple[int, ...]:
    if not values:
        return ()
    if not 1 <= varied <= MAXIMUM_SWEPT:
        raise SheetError(
            "vary",
            f"the sweep has {varied} parameters (allowed: 1 or {MAXIMUM_SWEPT}; write "
            "LAYER.PARAMETER)",
        )
    if len(values) != varied:
        raise SheetError(
            "steps",
            f"there are {len(values)} numbers of steps for {varied} parameters (give one for each)",
        )
    for value in values:
        if not _is_whole(value, 2, MAXIMUM_STEPS):
            raise SheetError(
                "steps", f"steps: {_value_text(value)} (allowed: 2 to {MAXIMUM_STEPS})"
            )
    return tuple(values)


def _is_whole(value: object, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_TEXT


def _value_text(value: object) -> str:
    """Return why `value`, a number in a request, is refused, as text."""
    if type(value) is int and abs(value) < 10**18:
        return f"{value} is out of range"
    return "that is no such whole number"
