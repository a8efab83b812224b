"""Values to bytes: a tree of maps, lists and scalars, coded column by column in spirit.

The tree is walked in its own order, and every scalar is coded with the models of its node. How a
node's whole numbers are told (plain, as steps, by enumeration, relative to another node's) is
found by measuring first and said when the node is first met.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from exporter.codecs._numbers import NumberWriter
from exporter.codecs._value_model import (
    CHOICES,
    COLOR6,
    COLOR8,
    DECIMAL,
    ENUMERATED,
    FLOAT,
    INTEGER,
    LIST,
    LONG,
    MAP,
    REFERENCE,
    TEXT,
    Choice,
    Integers,
    Node,
    Schema,
    inherited,
)
from exporter.codecs._value_survey import Survey, survey
from exporter.codecs._value_types import decimal_of, type_of


def encode_values(value: Any) -> bytes:
    """Return the coded bytes of a tree of None, bool, int, float, str, lists and maps.

    Tuples become lists; numpy scalars become Python's.

    Raises:
        TypeError: For other values, or maps with keys that are not text.
    """
    plain = plain_values(value)
    writer = _ValueWriter(survey(plain))
    writer.value(writer.schema.root, plain, 0)
    return writer.out.finish()


def plain_values(value: Any) -> Any:
    """Return the tree with tuples as lists, mappings as dicts, numpy scalars as Python's.

    Raises:
        TypeError: For values that have no place in such a tree.
    """
    # First of all, for numpy's float64 is a float and writes itself differently.
    if isinstance(value, np.generic):
        return plain_values(value.item())
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise TypeError("the keys of a map must be text")
        return {key: plain_values(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_values(item) for item in value]
    raise TypeError(f"cannot store a {type(value).__name__} in a blob")


class _ValueWriter:
    """Walks a tree and codes it."""

    def __init__(self, found: Survey) -> None:
        self.schema = Schema()
        self.out = NumberWriter()
        self._survey = found

    def value(self, node: Node, value: Any, context: int) -> None:
        """Code a value; `context` is the place of the map's shape among its node's."""
        kind = type_of(value)
        tree = 1
        for shift in (3, 2, 1, 0):
            bit = kind >> shift & 1
            self.out.decide(node.types, node.previous * 16 + tree, bit)
            tree = tree << 1 | bit
        node.previous = kind
        if kind == INTEGER:
            self._integer(node, node.integers, value)
        elif kind == DECIMAL:
            mantissa, digits = decimal_of(value) or (0, 0)
            self.out.number(node.digits, digits)
            self._integer(node, node.mantissas, mantissa)
        elif kind == FLOAT:
            self.out.even(int.from_bytes(struct.pack(">d", value), "big"), 64)
        elif kind == TEXT:
            self._text(node, value, context)
        elif kind in (COLOR6, COLOR8):
            self._color(node, value, context)
        elif kind == LONG:
            self._letters(str(value))
        elif kind == LIST:
            self._list(node, value)
        elif kind == MAP:
            self._map(node, value)

    def _integer(self, node: Node, integers: Integers, value: int) -> None:
        if integers.mode is None:
            integers.mode = self._survey.mode(node, integers is node.mantissas)
            self.out.number(self.schema.mode_model, integers.mode)
        if integers.mode == ENUMERATED:
            known = value in integers.known
            at = integers.known.index(value) if known else len(integers.known)
            self._choose(integers.choice, at, len(integers.known))
            if not known:
                self._signed(integers, value)
                integers.known.append(value)
        else:
            self._signed(integers, value - base_of(self.schema, integers))
        integers.last = value

    def _signed(self, integers: Integers, value: int) -> None:
        self.out.number(integers.model, abs(value))
        if value:
            self.out.decide(integers.sign, 0, int(value < 0))

    def _choose(self, choice: Choice, at: int, known: int) -> None:
        """Code choice number `at` of `known`; `at` == `known` says it is a new one."""
        for index in range(min(known, CHOICES)):
            self.out.decide(choice.states, index, int(index != at))
            if index == at:
                return
        if known > CHOICES:
            self.out.number(choice.later, 0 if at == known else at - CHOICES + 1)

    def _known_text(self, node: Node, value: str, context: int) -> bool:
        """Code which text of the node it is; return whether it was known."""
        choice = node.text_choices.setdefault(context, Choice())
        known = value in node.texts
        self._choose(choice, node.texts.index(value) if known else len(node.texts), len(node.texts))
        if not known:
            node.texts.append(value)
        return known

    def _text(self, node: Node, value: str, context: int) -> None:
        if not self._known_text(node, value, context):
            self._letters(value)

    def _color(self, node: Node, value: str, context: int) -> None:
        if not self._known_text(node, value, context):
            self.out.even(int(value[1:], 16), 4 * (len(value) - 1))

    def _letters(self, text: str) -> None:
        encoded = text.encode("utf-8", "surrogatepass")
        self.out.number(self.schema.text_length, len(encoded))
        before = 0
        for letter in encoded:
            pair = self.schema.letter_states(before)
            tree = 1
            for shift in range(7, -1, -1):
                bit = letter >> shift & 1
                if pair[tree] == 0:
                    pair[tree] = inherited(self.schema.letters[tree])
                young = pair[tree] & 1023 < 7
                self.out.decide(pair, tree, bit)
                if young:
                    learn(self.schema.letters, tree, bit)
                tree = tree << 1 | bit
            before = letter

    def _list(self, node: Node, values: list[Any]) -> None:
        self.out.number(node.length, len(values))
        if values and node.positional is None:
            node.positional = self._survey.positional(node)
            self.out.decide(self.schema.positional_states, 0, int(node.positional))
        for place, item in enumerate(values):
            self.value(self.schema.child(node, place if node.positional else -1), item, 0)

    def _map(self, node: Node, values: dict[str, Any]) -> None:
        keys = tuple(values)
        shape = self.schema.shapes.index(keys) if keys in self.schema.shapes else None
        known = shape is not None and shape in node.shapes
        at = node.shapes.index(shape) if shape is not None and known else len(node.shapes)
        self._choose(node.shape_choice, at, len(node.shapes))
        if not known:
            self.out.number(self.schema.shape_model, 0 if shape is None else shape + 1)
            if shape is None:
                shape = self._shape(keys)
            node.shapes.append(shape)
        for key in keys:
            self.value(self.schema.child(node, key), values[key], at)

    def _shape(self, keys: tuple[str, ...]) -> int:
        self.out.number(self.schema.key_count, len(keys))
        for key in keys:
            known = key in self.schema.keys
            self.out.number(self.schema.key_model, self.schema.keys.index(key) + 1 if known else 0)
            if not known:
                self._letters(key)
                self.schema.keys.append(key)
        self.schema.shapes.append(keys)
        return len(self.schema.shapes) - 1


def base_of(schema: Schema, integers: Integers) -> int:
    """Return what a number is told relative to."""
    mode = integers.mode or 0
    if mode >= REFERENCE:
        return schema.nodes[mode - REFERENCE].integers.last
    return integers.last if mode else 0


def learn(states: list[int], index: int, bit: int) -> None:
    """Move a state that did not code the decision itself."""
    from exporter.codecs._numbers import updated

    states[index] = updated(states[index], bit)
