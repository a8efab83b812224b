"""Open packs, read their levels and measures, and select levels by rules.

Choices use only whole numbers and comparisons of 64-bit floats, so that readers in every language
choose the same levels (`exporter/docs/reference/pack-format.md`).
"""

from __future__ import annotations

import datetime
import os
import zlib
from collections.abc import Iterator
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.blob import read_blob
from exporter.codecs import Limits
from exporter.model.errors import BlobError, ParameterError
from exporter.model.expression_tree import NoValueError
from exporter.model.expressions import ExpressionError, parse_expression
from exporter.model.level import Level
from exporter.model.suggestions import unknown_name
from exporter.packs.format import PackFile

_EPOCH = datetime.date(1970, 1, 1)
_MASK = 0xFFFFFFFF
# The fractional part of the golden ratio, as Weyl sequences take it.
_STEP = 0x9E3779B9


def open_pack(path: str | os.PathLike[str], limits: Limits | None = None) -> Pack:
    """Open the pack at `path`; levels are read from the file when needed.

    Args:
        path: The `.lvp` file.
        limits: Limits of memory for one level; use `Limits.for_strangers()` for untrusted files.

    Raises:
        BlobError: The file is no pack, is damaged, or is too new.
        OSError: The file cannot be read.
    """
    return Pack(Path(path), limits)


class Pack:
    """The levels of a pack as a sequence; each is read when needed.

    Use it in a `with` block, which closes the file.

    Attributes:
        file: Reads and decodes the bytes of the pack.
        name: The name of the level whose spec the pack was made from.
    """

    def __init__(self, path: Path, limits: Limits | None = None) -> None:
        self._limits = limits
        self._stream = open(path, "rb")  # noqa: SIM115 (closed by `close`)
        try:
            self.file = PackFile(self._read, limits)
        except BaseException:
            self._stream.close()
            raise
        self.name: str = self.file.name

    def __len__(self) -> int:
        return self.file.header.levels

    def __getitem__(self, index: int) -> Level:
        """Return the level at `index`; read only the bytes of that level.

        Raises:
            BlobError: The level is damaged or over the limits.
            IndexError: The pack has no level of that index.
        """
        # The texts are inflated at once: they need not be small.
        blob = self.file.blob(range(len(self))[index], partial(zlib.compress, level=0))
        return read_blob(blob, self._limits)

    def __iter__(self) -> Iterator[Level]:
        return (self[index] for index in range(len(self)))

    def __enter__(self) -> Pack:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; levels cannot be read any more."""
        self._stream.close()

    def blob(self, index: int) -> bytes:
        """Return the level at `index` as the bytes of a blob, as if written alone.

        The bytes equal those of `write_blob`, except perhaps for layers of values on a scale, such
        as `exposure`.

        Raises:
            BlobError: The level is damaged or over the limits.
            IndexError: The pack has no level of that index.
        """
        return self.file.blob(range(len(self))[index])

    @cached_property
    def seeds(self) -> NDArray[np.int64]:
        """The seed of each level, in the order of the levels: int64 [levels]."""
        seeds = self._group("seeds").get("seed")
        if not isinstance(seeds, np.ndarray):
            raise BlobError("the pack does not store the seeds of its levels")
        return seeds.astype(np.int64)

    @cached_property
    def parameters(self) -> list[dict[str, Any]]:
        """The varied parameters of each level: values by `LAYER.PARAMETER`."""
        columns = {
            name: values.tolist() if isinstance(values, np.ndarray) else values
            for name, values in self._group("parameters").items()
        }
        rows = zip(*columns.values(), strict=True) if columns else [()] * len(self)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    @cached_property
    def metrics(self) -> NDArray[Any]:
        """The measures of each level: a structured array with a field for each."""
        columns = self._group("metrics")
        if not all(isinstance(values, np.ndarray) for values in columns.values()):
            raise BlobError("broken pack: a measure is not a number")
        types = [(name, values.dtype) for name, values in columns.items()]
        result = np.empty(len(self), types)
        for name, values in columns.items():
            result[name] = values
        return result

    def find(self, expression: str) -> list[int]:
        """Return the indexes of levels whose measures meet a condition, ascending.

        `expression` is the condition, such as `farthest >= 60 and dead_ends <= 6`. A level does not
        meet a condition that divides by zero for it.

        Raises:
            ExpressionError: The condition is invalid, or names a measure that the pack lacks.
        """
        condition = parse_expression(expression)
        known = self.metrics.dtype.names or ()
        for operand in condition.places:
            if operand.name not in known:
                message = unknown_name("measure of this pack", operand.name, list(known))
                raise ExpressionError(message, operand.start, operand.length)
        names = condition.names
        columns = [self.metrics[name].tolist() for name in names]
        matches = []
        for index, row in enumerate(zip(*columns, strict=True) if names else [()] * len(self)):
            try:
                if condition.holds(dict(zip(names, row, strict=True))):
                    matches.append(index)
            except NoValueError:
                pass
        return matches

    def shuffled(self, seed: int) -> list[int]:
        """Return the indexes of all levels in a random order.

        The order follows from the lowest 32 bits of `seed`.
        """
        order = list(range(len(self)))
        places = np.arange(len(order), dtype=np.uint64)
        draws = _mixed(int(_mixed(np.array([seed & _MASK], np.uint64))[0]) + places * _STEP)
        targets = (draws * (places + np.uint64(1))) >> np.uint64(32)
        for position, target in zip(
            range(len(order) - 1, 0, -1), targets[:0:-1].tolist(), strict=True
        ):
            order[position], order[target] = order[target], order[position]
        return order

    def daily(self, date: datetime.date | str) -> int:
        """Return the index of the level of the day `date`.

        `date` is a date, or a text such as `2026-12-24`. No level repeats before each has had a
        day.

        Raises:
            ParameterError: The text is no date, or the pack is empty.
        """
        try:
            day = datetime.date.fromisoformat(date) if isinstance(date, str) else date
        except ValueError:
            raise ParameterError(f"{date!r} is not a date (write it as 2026-12-24)") from None
        if not len(self):
            raise ParameterError("the pack has no levels to choose from")
        round_, position = divmod((day - _EPOCH).days, len(self))
        return self.shuffled(round_)[position]

    def _group(self, group: str) -> dict[str, Any]:
        columns = enumerate(self.file.columns)
        return {
            column["name"]: self.file.column(number)
            for number, column in columns
            if column["group"] == group
        }

    def _read(self, offset: int, size: int) -> bytes:
        self._stream.seek(offset)
        return self._stream.read(size)


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix the bits of numbers below 2**32, so that results look random.

    The constants are from Wellons, "Prospecting for hash functions" (2018).
    """
    mask = np.uint64(_MASK)
    values = values & mask
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        values = ((values ^ (values >> np.uint64(shift))) * np.uint64(factor)) & mask
    return values ^ (values >> np.uint64(16))
