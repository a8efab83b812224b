"""Looking at a tree of values before it is coded: what lists are, how numbers are best told.

The survey walks the tree as the writer will, so its nodes have the same numbers; it needs to
know first which lists have equal lengths, for that decides what the nodes are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from exporter.codecs._entropy import order_zero_bits
from exporter.codecs._value_model import DELTA, ENUMERATED, PLAIN, REFERENCE, Node, Schema
from exporter.codecs._value_types import decimal_of, type_of

# Lists of equal length up to this count as records; numbers looked at for each node; nodes a
# number may be relative to.
LONGEST_RECORD = 64
SAMPLE = 400
REFERENCES = 48


class Survey:
    """What the writer asks for when it first meets a node."""

    def __init__(self, modes: dict[tuple[int, bool], int], positional: dict[int, bool]) -> None:
        self._modes = modes
        self._positional = positional

    def mode(self, node: Node, mantissas: bool) -> int:
        """Return how a node's whole numbers, or the mantissas of its decimals, are told."""
        return self._modes[node.number, mantissas]

    def positional(self, node: Node) -> bool:
        """Return whether each place of a node's lists is a node of its own."""
        return self._positional[node.number]


class _Column:
    """Numbers met at one node, with the last number of earlier nodes each time."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self.contexts: list[list[int]] = []


def survey(value: Any) -> Survey:
    """Return the survey of a plain tree."""
    walker = _Walker()
    walker.columns_first([value], ())
    walker.walk(walker.schema.root, value, ())
    modes = {key: _best_mode(key, column) for key, column in walker.numbers.items()}
    return Survey(modes, walker.positional)


class _Walker:
    def __init__(self) -> None:
        self.schema = Schema()
        self.records: dict[tuple[str | int, ...], bool] = {}
        self.positional: dict[int, bool] = {}
        self.numbers: dict[tuple[int, bool], _Column] = {}

    def columns_first(self, values: list[Any], path: tuple[str | int, ...]) -> None:
        """Find, for each path, whether all its lists have one length."""
        lists = [item for item in values if isinstance(item, list) and item]
        maps = [item for item in values if isinstance(item, dict)]
        if lists:
            length = len(lists[0])
            record = length <= LONGEST_RECORD and all(len(item) == length for item in lists)
            # A single list is no proof, unless its items are not of one kind.
            if record and len(lists) == 1:
                record = length > 1 and len({type(item) for item in lists[0]}) > 1
            self.records[path] = record
            if record:
                for place in range(length):
                    self.columns_first([item[place] for item in lists], (*path, place))
            else:
                self.columns_first([entry for item in lists for entry in item], (*path, -1))
        keys: dict[str, list[Any]] = {}
        for item in maps:
            for key, entry in item.items():
                keys.setdefault(key, []).append(entry)
        for key, entries in keys.items():
            self.columns_first(entries, (*path, key))

    def walk(self, node: Node, value: Any, path: tuple[str | int, ...]) -> None:
        """Meet the nodes in the writer's order and note their numbers."""
        if isinstance(value, list):
            if value and node.number not in self.positional:
                self.positional[node.number] = self.records[path]
            for place, item in enumerate(value):
                key = place if self.records[path] else -1
                self.walk(self.schema.child(node, key), item, (*path, key))
        elif isinstance(value, dict):
            for key, item in value.items():
                self.walk(self.schema.child(node, key), item, (*path, key))
        elif isinstance(value, int) and not isinstance(value, bool):
            if type_of(value) == 3:
                self._note(node, False, value)
                node.integers.last = value
        elif isinstance(value, float):
            decimal = decimal_of(value)
            if decimal is not None:
                self._note(node, True, decimal[0])

    def _note(self, node: Node, mantissas: bool, value: int) -> None:
        column = self.numbers.setdefault((node.number, mantissas), _Column())
        if len(column.values) >= SAMPLE:
            return
        column.values.append(value)
        if not mantissas:
            # Only nodes that existed when this one was first met can be referred to.
            known = len(column.contexts[0]) if column.contexts else node.number
            first = max(0, node.number - REFERENCES)
            lasts = [other.integers.last for other in self.schema.nodes[first : node.number]]
            column.contexts.append(lasts[:known])


def _best_mode(key: tuple[int, bool], column: _Column) -> int:
    """Return the cheapest way to tell a column's numbers."""
    values = column.values
    steps = [after - before for before, after in zip([0, *values], values, strict=False)]
    choices = [(_cost(values), PLAIN), (_cost(steps), DELTA)]
    distinct = len(set(values))
    if distinct <= 24 and 2 * distinct <= len(values):
        counts = np.array([values.count(value) for value in sorted(set(values))])
        new = sum(2 * abs(value).bit_length() + 2 for value in set(values))
        choices.append((int(order_zero_bits(counts)) + new, ENUMERATED))
    if column.contexts:
        number = key[0]
        first = number - len(column.contexts[0])
        for index in range(len(column.contexts[0])):
            apart = [
                value - lasts[index] for value, lasts in zip(values, column.contexts, strict=True)
            ]
            choices.append((_cost(apart) + 8, REFERENCE + first + index))
    return min(choices)[1]


def _cost(values: list[int]) -> int:
    """Estimate the bits of numbers told by their length and then their bits."""
    lengths = np.bincount([(abs(value) + 1).bit_length() - 1 for value in values])
    signs = np.array([sum(value < 0 for value in values), sum(value > 0 for value in values)])
    mantissas = sum(max(0, (abs(value) + 1).bit_length() - 2) for value in values)
    return int(order_zero_bits(lengths) + order_zero_bits(signs)) + mantissas + len(lengths)
