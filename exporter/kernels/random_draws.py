# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Draw random numbers in sequence, for Python and compiled kernels.

`Draws.next(low, high)` has two sources:

* portable: value n is the SplitMix64 finaliser (Steele, Lea, Flood, "Fast Splittable
  Pseudorandom Number Generators", 2014) of `key + (n + 1) * 0x9E3779B97F4A7C15`, so it is a
  counter-based generator of which only the key and the counter are state;
* dotnet: the seeded `System.Random` of .NET Framework, Mono and Unity (Knuth's subtractive
  generator, The Art of Computer Programming 3.2.2, in the wording of Numerical Recipes `ran3`).

A kernel, compiled or interpreted, draws like this from whichever stream the level uses:

    import cython

    if cython.compiled:
        from cython.cimports.exporter.kernels.random_draws import Draws
    else:
        from exporter.kernels.random_draws import Draws

    def scatter(grid: cython.uchar[:, ::1], draws: Draws, count: cython.longlong) -> None:
        i: cython.longlong
        x: cython.longlong
        for i in range(count):
            x = draws.next(0, grid.shape[1])     # a C call of a few nanoseconds when compiled

and its caller passes `stream.draws("purpose")`. The types of the class live in `random_draws.pxd`;
this file is ordinary Python that masks every result to its C width, so both builds give the same
numbers. (Large constants are named locals with a C type there: Cython computes with a literal above
31 bits as a Python object.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

SEED_MINIMUM = -2147483648
SEED_MAXIMUM = 2147483647


# Uncompiled, the caller computes whole grids with numpy instead of `fill_hashes`.
COMPILED: bool = cython.compiled


def fill_hashes(
    words: cython.ulonglong[:, ::1], key: cython.ulonglong, x: cython.ulonglong, y: cython.ulonglong
) -> None:
    """Write a hash (64 random bits) for each cell of a window to `words`.

    The window begins at (`x`, `y`). `words`, uint64 [height, width], receives value number `y << 32
    | x` of the portable sequence with the key `key`.
    """
    mask: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    step: cython.ulonglong = 0x9E3779B97F4A7C15
    multiplier_1: cython.ulonglong = 0xBF58476D1CE4E5B9
    multiplier_2: cython.ulonglong = 0x94D049BB133111EB
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    for row in range(words.shape[0]):
        counter: cython.ulonglong = (key + step * ((((y + row) << 32) + x + 1) & mask)) & mask
        for column in range(words.shape[1]):
            value: cython.ulonglong = counter
            value = ((value ^ (value >> 30)) * multiplier_1) & mask
            value = ((value ^ (value >> 27)) * multiplier_2) & mask
            words[row, column] = value ^ (value >> 31)
            counter = (counter + step) & mask


class Draws:
    """A sequence of random numbers that remembers how far it has been read.

    Args:
        key: 64-bit key of the portable sequence; ignored with `dotnet`.
        dotnet: Whether to reproduce `System.Random(seed)` instead.
        seed: The int32 seed of the dotnet sequence.
    """

    def __init__(self, key: int, dotnet: bool = False, seed: int = 0) -> None:
        self.key = key
        self.counter = 0
        self.dotnet = dotnet
        # Compiled, the table is a C array inside the object (random_draws.pxd).
        if not cython.compiled:
            self.table = [0] * 56
        self.first = 0
        self.second = 21
        if dotnet:
            self._start_dotnet(seed)

    def _start_dotnet(self, seed: cython.longlong) -> cython.void:
        """Fill the 55-word table as the constructor of `System.Random` does."""
        largest = 2147483647
        previous = 161803398 - (largest if seed == -2147483648 else abs(seed))
        self.table[55] = previous
        current = 1
        for i in range(1, 55):
            position = (21 * i) % 55
            self.table[position] = current
            current = _wrap(previous - current)
            if current < 0:
                current = _wrap(current + largest)
            previous = self.table[position]
        for _ in range(4):
            for i in range(1, 56):
                value = self.table[i]
                value = _wrap(value - self.table[1 + (i + 30) % 55])
                if value < 0:
                    value = _wrap(value + largest)
                self.table[i] = value

    def raw(self) -> cython.ulonglong:
        """Return the next raw value: 64 bits (portable) or 0..2147483646 (dotnet)."""
        if self.dotnet:
            return self._raw_dotnet()
        mask = 0xFFFFFFFFFFFFFFFF
        step = 0x9E3779B97F4A7C15
        multiplier_1 = 0xBF58476D1CE4E5B9
        multiplier_2 = 0x94D049BB133111EB
        self.counter += 1
        value = (self.key + self.counter * step) & mask
        value = ((value ^ (value >> 30)) * multiplier_1) & mask
        value = ((value ^ (value >> 27)) * multiplier_2) & mask
        return value ^ (value >> 31)

    def _raw_dotnet(self) -> cython.longlong:
        self.first += 1
        if self.first >= 56:
            self.first = 1
        self.second += 1
        if self.second >= 56:
            self.second = 1
        value = self.table[self.first]
        value = _wrap(value - self.table[self.second])
        if value == 2147483647:
            value -= 1
        if value < 0:
            value = _wrap(value + 2147483647)
        self.table[self.first] = value
        return value

    def sample(self) -> cython.double:
        """Return a float of at least 0 and below 1; consumes one value."""
        if self.dotnet:
            return self._raw_dotnet() * (1.0 / 2147483647.0)
        return (self.raw() >> 11) * (1.0 / 9007199254740992.0)

    def next(self, low: cython.longlong, high: cython.longlong) -> cython.longlong:
        """Return a random integer of `low`..`high - 1`; always consumes one value.

        The span `high - low` may be at most 2147483647 and is not checked; for an empty span the
        result is `low`, as of `System.Random` for equal bounds.
        """
        if self.dotnet:
            share = self._raw_dotnet() * (1.0 / 2147483647.0)
            # Truncates towards zero, as the C# cast does.
            return cython.cast(cython.longlong, share * (high - low)) + low
        if high <= low:
            self.counter += 1
            return low
        bits = self.raw() >> 32
        # The cast is for interpreted kernels, whose bounds may be numpy scalars of 32 bits.
        return ((bits * cython.cast(cython.longlong, high - low)) >> 32) + low

    def fill(
        self, target: cython.int[::1], low: cython.longlong, high: cython.longlong
    ) -> cython.void:
        """Draw `next(low, high)` for every element of an int32 buffer, in order."""
        for i in range(len(target)):
            target[i] = self.next(low, high)


def _wrap(value: cython.longlong) -> cython.longlong:
    """Return `value` wrapped around to a signed 32-bit integer."""
    half = 2147483648
    mask = 0xFFFFFFFF
    return ((value + half) & mask) - half
