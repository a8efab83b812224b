"""Code JSON values by column: all values with the same keys share a model.

The same code walks the values to write and to read: `_Writing` codes each number, and `_Reading`
returns the number that was coded. Integers are coded in the shortest of three ways: as they are,
relative to the previous number in their column, or relative to the last number of another column;
so points around an object are coded by their distance from it.
"""

from __future__ import annotations

import json
from dataclasses import field
from typing import Any, Protocol

from exporter.codecs._numbers import NumberModel, NumberReader, NumberWriter
from exporter.codecs._range import FRESH
from exporter.model.lazy_dataclass import dataclass

NULL, FALSE, TRUE, INTEGER, DECIMAL, NUMBER, TEXT, LIST, MAP = range(9)
DEEPEST = 64
LARGEST = 1 << 60
MOST_DIGITS = 15
ESCAPE = 255
# How the integers of a column are coded; from REFERENCE on, relative to a column by its number.
PLAIN, STEPS, REFERENCE = range(3)
# Columns that are tried as references, and integers of a column that are sampled.
REFERENCES, SAMPLE = 24, 400
# A list is a record, with a column for each place, where all of its path have one such length.
RECORD = range(2, 17)


class _Direction(Protocol):
    def number(self, model: NumberModel, value: int) -> int: ...
    def symbol(self, states: list[int], value: int) -> int: ...


def _symbols() -> list[int]:
    return [FRESH] * 256


@dataclass(slots=True, eq=False)
class _Column:
    """The statistics of one column: all values with the same path of keys.

    They are what is known of earlier values, to code the next one in few bits.
    """

    index: int
    kinds: list[int] = field(default_factory=_symbols)
    choices: list[int] = field(default_factory=_symbols)
    letters: list[int] = field(default_factory=_symbols)
    counts: NumberModel = field(default_factory=NumberModel)
    integers: NumberModel = field(default_factory=NumberModel)
    rest: NumberModel = field(default_factory=NumberModel)
    mode: int | None = None
    record: bool | None = None
    last: int = 0
    known: list[Any] = field(default_factory=list)
    children: dict[Any, _Column] = field(default_factory=dict)


class _Writing:
    def __init__(self) -> None:
        self.out = NumberWriter()

    def number(self, model: NumberModel, value: int) -> int:
        self.out.number(model, value)
        return value

    def symbol(self, states: list[int], value: int) -> int:
        for shift in range(7, -1, -1):
            self.out.decide(states, (256 | value) >> shift + 1, value >> shift & 1)
        return value


class _Reading:
    def __init__(self, stream: bytes, most: int) -> None:
        self._in, self._left = NumberReader(stream), most

    def _spend(self) -> None:
        self._left -= 1
        if self._left < 0 or self._in.overrun:
            raise ValueError("the values are incomplete or over the size limit")

    def number(self, model: NumberModel, value: int) -> int:
        self._spend()
        return self._in.number(model)

    def symbol(self, states: list[int], value: int) -> int:
        self._spend()
        node = 1
        while node < 256:
            node = node << 1 | self._in.decide(states, node)
        return node - 256


class _Tree:
    """Walks values to code them, or builds values when reading."""

    def __init__(self, direction: _Direction, modes: dict[int, int], records: set[Any]) -> None:
        self._to, self._modes, self._records = direction, modes, records
        self._columns: list[_Column] = []
        self._model, self._record_model = NumberModel(), NumberModel()
        self.noted: dict[int, list[tuple[int, list[int]]]] = {}
        self.keys = self._column()
        self.root = self._column()

    def _column(self) -> _Column:
        self._columns.append(_Column(len(self._columns)))
        return self._columns[-1]

    def _child(self, column: _Column, key: Any) -> _Column:
        if key not in column.children:
            column.children[key] = self._column()
        return column.children[key]

    def value(self, column: _Column, value: Any, path: tuple[Any, ...] = ()) -> Any:
        """Encode `value`, of `column`, or decode the next one; return it.

        `path` has the keys that lead to the value.
        """
        if len(path) > DEEPEST:
            raise ValueError("the values are nested too deep")
        kind = self._to.symbol(column.kinds, _kind_of(value))
        match kind:
            case _ if kind <= TRUE:
                return (None, False, True)[kind]
            case _ if kind == INTEGER:
                return self._integer(column, value)
            case _ if kind == DECIMAL:
                mantissa, digits = _decimal_of(value) or (0, 0)
                digits = self._to.number(column.rest, digits)
                return self._integer(self._child(column, DECIMAL), mantissa) / 10**digits
            case _ if kind == NUMBER:
                text = None if value is None else json.dumps(value)
                return json.loads(self._choice(self._child(column, NUMBER), text))
            case _ if kind == TEXT:
                return self._choice(column, value)
            case _ if kind == LIST:
                return self._list(column, value, path)
            case _ if kind == MAP:
                return self._map(column, value, path)
        raise ValueError("a value has an unknown type code")

    def _integer(self, column: _Column, value: int) -> int:
        value = value or 0
        if column.mode is None:
            column.mode = self._to.number(self._model, self._modes.get(column.index, PLAIN))
        self._note(column, value)
        base = 0 if column.mode == PLAIN else column.last
        if column.mode >= REFERENCE:
            base = self._columns[column.mode - REFERENCE].last
        apart = value - base
        folded = self._to.number(column.integers, -2 * apart - 1 if apart < 0 else 2 * apart)
        column.last = base + (-(folded >> 1) - 1 if folded & 1 else folded >> 1)
        return column.last

    def _note(self, column: _Column, value: int) -> None:
        noted = self.noted.setdefault(column.index, [])
        if len(noted) < SAMPLE:
            first = max(0, column.index - REFERENCES)
            noted.append((value, [other.last for other in self._columns[first : column.index]]))

    def _choice(self, column: _Column, value: Any) -> Any:
        """Code a text or the keys of a mapping; return it.

        One that `column` has had before is coded as an index, a new one in full.
        """
        known = column.known
        at = known.index(value) if value in known else len(known)
        symbol = self._to.symbol(column.choices, min(at, ESCAPE))
        at = symbol if symbol < ESCAPE else ESCAPE + self._to.number(column.rest, at - ESCAPE)
        if at > len(known):
            raise ValueError("an index into the list of values is out of range")
        if at == len(known):
            known.append(self._letters(column, value))
        return known[at]

    def _letters(self, column: _Column, value: Any) -> str:
        data = (value or "").encode("utf-8", "surrogatepass")
        count = self._to.number(column.counts, len(data))
        letters = bytearray()
        for at in range(count):
            letters.append(self._to.symbol(column.letters, data[at] if data else 0))
        return letters.decode("utf-8", "surrogatepass")

    def _list(self, column: _Column, value: Any, path: tuple[Any, ...]) -> list[Any]:
        value = value or ()
        count = self._to.number(column.counts, len(value))
        if column.record is None:
            column.record = bool(self._to.number(self._record_model, path in self._records))
        items = []
        for at in range(count):
            child = self._child(column, at if column.record else -1)
            items.append(self.value(child, value[at] if value else None, (*path, -1)))
        return items

    def _map(self, column: _Column, value: Any, path: tuple[Any, ...]) -> dict[str, Any]:
        value = value or {}
        # The keys of a map are one choice: as a text, joined by a character that no key of two
        # words has.
        keys = self._choice(self._child(column, MAP), _joined(value))
        names = keys.split("\n")[1:]
        return {
            name: self.value(self._child(column, name), value.get(name), (*path, name))
            for name in names
        }


def _joined(keys: Any) -> str:
    if any("\n" in key for key in keys):
        raise ValueError("a key contains a line feed")
    return "".join("\n" + key for key in keys)


def _kind_of(value: Any) -> int:
    if value is None or isinstance(value, bool):
        return NULL if value is None else TRUE if value else FALSE
    if isinstance(value, int):
        return INTEGER if abs(value) < LARGEST else NUMBER
    if isinstance(value, float):
        return NUMBER if _decimal_of(value) is None else DECIMAL
    return TEXT if isinstance(value, str) else LIST if isinstance(value, list) else MAP


def _decimal_of(value: Any) -> tuple[int, int] | None:
    """Return (mantissa, digits), so that `value` is mantissa / 10^digits.

    Return None if there are no such numbers.
    """
    front, _, back = repr(value).partition(".")
    if not (front.lstrip("-").isdigit() and back.isdigit() and len(back) <= MOST_DIGITS):
        return None
    mantissa = int(front + back)
    return (mantissa, len(back)) if 0 < abs(mantissa) < 1 << 53 else None


def _records(value: Any, path: tuple[Any, ...], lengths: dict[Any, set[int]]) -> None:
    """Collect in `lengths` the lengths of all lists in `value`, by path.

    A path has the keys that lead to a list, and -1 for any index.
    """
    if isinstance(value, list):
        lengths.setdefault(path, set()).add(len(value))
        for item in value:
            _records(item, (*path, -1), lengths)
    elif isinstance(value, dict):
        for key, item in value.items():
            _records(item, (*path, key), lengths)


def _best_mode(index: int, noted: list[tuple[int, list[int]]]) -> int:
    values = [value for value, _ in noted]
    known = min(len(lasts) for _, lasts in noted)
    first = max(0, index - REFERENCES)
    bases = {PLAIN: [0] * len(values), STEPS: [0, *values[:-1]]}
    for position in range(known):
        bases[REFERENCE + first + position] = [lasts[position] for _, lasts in noted]
    costs = {
        mode: sum(
            2 * abs(value - base).bit_length() for value, base in zip(values, reported, strict=True)
        )
        for mode, reported in bases.items()
    }
    return min(costs, key=lambda mode: (costs[mode] + 8 * (mode >= REFERENCE), mode))


def encode_tree(value: Any) -> bytes:
    """Encode `value`, which JSON can hold, and all values inside it.

    Raises:
        ValueError: The values are nested too deep, or a key has a line feed.
    """
    lengths: dict[Any, set[int]] = {}
    _records(value, (), lengths)
    records = {
        path for path, result in lengths.items() if len(result) == 1 and result <= set(RECORD)
    }
    survey = _Tree(_Writing(), {}, records)
    survey.value(survey.root, value)
    modes = {index: _best_mode(index, noted) for index, noted in survey.noted.items()}
    writing = _Writing()
    tree = _Tree(writing, modes, records)
    tree.value(tree.root, value)
    return writing.out.finish()


def decode_tree(stream: bytes, most: int) -> Any:
    """Decode a value that `encode_tree` has encoded.

    `most` is the largest allowed number of steps, so that a damaged stream cannot take long.

    Raises:
        ValueError, IndexError: The stream is damaged or takes more steps.
    """
    tree = _Tree(_Reading(stream, most), {}, set())
    return tree.value(tree.root, None)
