"""Bytes to values: the mirror of the value writer, with limits on everything it builds."""

from __future__ import annotations

import struct
from typing import Any

from exporter.codecs._codec import Limits
from exporter.codecs._numbers import NumberReader
from exporter.codecs._value_model import (
    CHOICES,
    COLOR6,
    COLOR8,
    DECIMAL,
    ENUMERATED,
    FALSE,
    FLOAT,
    INTEGER,
    LIST,
    LONG,
    MAP,
    NULL,
    REFERENCE,
    TEXT,
    TRUE,
    Choice,
    Integers,
    Node,
    Schema,
    inherited,
)
from exporter.codecs._value_writer import base_of, learn
from exporter.model.errors import BlobError


def decode_values(stream: bytes, limits: Limits | None = None) -> Any:
    """Return the tree of values a stream holds.

    Raises:
        BlobError: When the stream is broken or holds more than the limits allow.
    """
    reader = _ValueReader(stream, limits or Limits())
    try:
        return reader.value(reader.schema.root, 0, 0)
    except BlobError:
        raise
    except (ValueError, IndexError, KeyError, OverflowError, RecursionError) as error:
        raise BlobError(f"broken values: {error}") from error


class _ValueReader:
    """Walks a stream and builds the tree."""

    def __init__(self, stream: bytes, limits: Limits) -> None:
        self.schema = Schema()
        self._in = NumberReader(stream)
        self._limits = limits
        self._left = limits.values

    def _spend(self, count: int) -> None:
        """Count what is built against the limit."""
        self._left -= count
        if self._left < 0 or self._in.overrun:
            raise BlobError("the values are cut short or over the limit")

    def value(self, node: Node, context: int, depth: int) -> Any:
        """Return the next value, of this node."""
        self._spend(1)
        if depth > self._limits.depth:
            raise BlobError(f"values are nested deeper than {self._limits.depth}")
        kind = 1
        for _ in range(4):
            kind = kind << 1 | self._in.decide(node.types, node.previous * 16 + kind)
        kind -= 16
        node.previous = kind
        if kind in (NULL, FALSE, TRUE):
            return (None, False, True)[kind]
        if kind == INTEGER:
            return self._integer(node.integers)
        if kind == DECIMAL:
            digits = self._in.number(node.digits)
            if digits > 15:
                raise BlobError("a decimal has too many digits")
            return self._integer(node.mantissas) / 10**digits
        if kind == FLOAT:
            return struct.unpack(">d", self._in.even(64).to_bytes(8, "big"))[0]
        if kind in (TEXT, COLOR6, COLOR8):
            return self._text(node, kind, context)
        if kind == LONG:
            return self._long()
        if kind == LIST:
            return self._list(node, depth)
        if kind == MAP:
            return self._map(node, depth)
        raise BlobError(f"value type {kind} is not known here")

    def _integer(self, integers: Integers) -> int:
        if integers.mode is None:
            integers.mode = self._in.number(self.schema.mode_model)
            if integers.mode >= REFERENCE + len(self.schema.nodes):
                raise BlobError("a number refers to a place that does not exist")
        if integers.mode == ENUMERATED:
            at = self._choose(integers.choice, len(integers.known))
            if at == len(integers.known):
                integers.known.append(self._signed(integers))
            value = integers.known[at]
        else:
            value = base_of(self.schema, integers) + self._signed(integers)
        if not -(1 << 62) < value < 1 << 62:
            raise BlobError("a number is out of range")
        integers.last = value
        return value

    def _signed(self, integers: Integers) -> int:
        value = self._in.number(integers.model)
        return -value if value and self._in.decide(integers.sign, 0) else value

    def _choose(self, choice: Choice, known: int) -> int:
        """Return which of `known` things comes, or `known` for a new one."""
        for index in range(min(known, CHOICES)):
            if not self._in.decide(choice.states, index):
                return index
        if known <= CHOICES:
            return known
        later = self._in.number(choice.later)
        if later > known - CHOICES:
            raise BlobError("a choice is out of range")
        return known if later == 0 else later + CHOICES - 1

    def _text(self, node: Node, kind: int, context: int) -> str:
        choice = node.text_choices.setdefault(context, Choice())
        at = self._choose(choice, len(node.texts))
        if at == len(node.texts):
            if kind == TEXT:
                node.texts.append(self._letters())
            else:
                digits = 6 if kind == COLOR6 else 8
                node.texts.append(f"#{self._in.even(4 * digits):0{digits}x}")
        return node.texts[at]

    def _letters(self) -> str:
        length = self._in.number(self.schema.text_length)
        self._spend(length)
        text = bytearray()
        before = 0
        for _ in range(length):
            pair = self.schema.letter_states(before)
            tree = 1
            for _bit in range(8):
                if pair[tree] == 0:
                    pair[tree] = inherited(self.schema.letters[tree])
                young = pair[tree] & 1023 < 7
                bit = self._in.decide(pair, tree)
                if young:
                    learn(self.schema.letters, tree, bit)
                tree = tree << 1 | bit
            before = tree - 256
            text.append(before)
            if self._in.overrun:
                raise BlobError("the values are cut short")
        return text.decode("utf-8", "surrogatepass")

    def _long(self) -> int:
        text = self._letters()
        if len(text) > 4000:
            raise BlobError("a whole number is too long")
        return int(text)

    def _list(self, node: Node, depth: int) -> list[Any]:
        length = self._in.number(node.length)
        if length > self._left:
            raise BlobError("a list is over the limit")
        if length and node.positional is None:
            node.positional = bool(self._in.decide(self.schema.positional_states, 0))
        values = []
        for place in range(length):
            child = self.schema.child(node, place if node.positional else -1)
            values.append(self.value(child, 0, depth + 1))
        return values

    def _map(self, node: Node, depth: int) -> dict[str, Any]:
        at = self._choose(node.shape_choice, len(node.shapes))
        if at == len(node.shapes):
            shape = self._in.number(self.schema.shape_model)
            if shape > len(self.schema.shapes):
                raise BlobError("a map refers to keys that do not exist")
            node.shapes.append(shape - 1 if shape else self._shape())
        keys = self.schema.shapes[node.shapes[at]]
        return {key: self.value(self.schema.child(node, key), at, depth + 1) for key in keys}

    def _shape(self) -> int:
        count = self._in.number(self.schema.key_count)
        self._spend(count)
        keys: list[str] = []
        for _ in range(count):
            known = self._in.number(self.schema.key_model)
            if known == 0:
                self.schema.keys.append(self._letters())
            elif known > len(self.schema.keys):
                raise BlobError("a map refers to a key that does not exist")
            keys.append(self.schema.keys[known - 1])
        if len(set(keys)) != len(keys):
            raise BlobError("a map has a key twice")
        self.schema.shapes.append(tuple(keys))
        return len(self.schema.shapes) - 1
