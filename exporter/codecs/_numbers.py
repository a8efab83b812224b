"""Code bits and integers in a range-coded stream.

A number is coded plus 1, in binary: first the count of bits after the leading one (a run of ones
and a zero, each with its own adaptive state), then the next bit (one state for each count), then
the rest without a model. The data is small, so this is plain Python.
"""

from __future__ import annotations

import numpy as np

from exporter.codecs._range import FRESH, TOP, Writer, rates

LIMIT = 255
LONGEST = 62


class NumberModel:
    """The adaptive bit probabilities for integers of one kind."""

    __slots__ = ("lengths", "seconds")

    def __init__(self) -> None:
        self.lengths = [FRESH] * 64
        self.seconds = [FRESH] * 64


_RATES = tuple(int(rate) for rate in rates())


def updated(state: int, bit: int) -> int:
    """Return the adaptive `state` (probability of a 0, and count) after `bit`."""
    probability, count = state >> 10, state & 1023
    if bit:
        probability -= probability * _RATES[count] >> 16
    else:
        probability += ((1 << 22) - probability) * _RATES[count] >> 16
    return probability << 10 | (count + 1 if count < LIMIT else count)


class NumberWriter:
    """Collects bits and integers; `finish` codes all of them at once."""

    def __init__(self) -> None:
        self._probabilities: list[int] = []
        self._bits: list[int] = []

    def decide(self, states: list[int], index: int, bit: int) -> None:
        """Code `bit` with the probability `states[index]`, which then adapts."""
        state = states[index]
        self._probabilities.append(state >> 16 | 1)
        self._bits.append(bit)
        states[index] = updated(state, bit)

    def even(self, value: int, width: int) -> None:
        """Code the low `width` bits of `value`, high bit first.

        Each bit is equally likely to be 0 or 1.
        """
        for shift in range(width - 1, -1, -1):
            self._probabilities.append(FRESH >> 16 | 1)
            self._bits.append(value >> shift & 1)

    def number(self, model: NumberModel, value: int) -> None:
        """Code `value`, an integer from 0 to 2^62; the probabilities are `model`."""
        value += 1
        length = value.bit_length() - 1
        for index in range(length):
            self.decide(model.lengths, index, 1)
        self.decide(model.lengths, length, 0)
        if length:
            self.decide(model.seconds, length, value >> (length - 1) & 1)
            self.even(value, length - 1)

    def finish(self) -> bytes:
        writer = Writer()
        writer.feed(
            np.array(self._probabilities, np.uint16),
            np.array(self._bits, np.uint8),
            len(self._bits),
        )
        return writer.finish()


class NumberReader:
    """Decodes the stream of a `NumberWriter`."""

    def __init__(self, stream: bytes) -> None:
        self._stream = stream
        self._code = int.from_bytes(stream[:4].ljust(4, b"\0"), "big")
        self._span = (1 << 32) - 1
        self._position = 4

    def _bit(self, probability: int) -> int:
        bound = (self._span >> 16) * probability
        if self._code < bound:
            self._span, bit = bound, 0
        else:
            self._code -= bound
            self._span -= bound
            bit = 1
        while self._span < TOP:
            byte = self._stream[self._position] if self._position < len(self._stream) else 0
            self._code = self._code << 8 | byte
            self._span <<= 8
            self._position += 1
        return bit

    def decide(self, states: list[int], index: int) -> int:
        """Decode a bit with the probability `states[index]`, which then adapts."""
        bit = self._bit(states[index] >> 16 | 1)
        states[index] = updated(states[index], bit)
        return bit

    def even(self, width: int) -> int:
        """Decode an integer of `width` bits, each equally likely to be 0 or 1."""
        value = 0
        for _ in range(width):
            value = value << 1 | self._bit(FRESH >> 16 | 1)
        return value

    def number(self, model: NumberModel) -> int:
        """Decode an integer with the probabilities `model`, which then adapt.

        Raises:
            ValueError: The number is too long.
        """
        length = 0
        while self.decide(model.lengths, length):
            length += 1
            if length > LONGEST:
                raise ValueError("a variable-length number has too many bytes")
        if not length:
            return 0
        second = self.decide(model.seconds, length)
        return ((2 | second) << (length - 1) | self.even(length - 1)) - 1

    @property
    def overrun(self) -> bool:
        """Whether far more was read than the stream has, as in damaged data."""
        return self._position > len(self._stream) + 64
