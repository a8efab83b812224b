"""Provide random streams, the source of every random number of a level.

`open_stream(rng, seed, layer)` opens the stream of one layer; generators derive further streams by
naming their purpose. A number of the `portable` stream is a pure function of (seed, layer, purpose,
coordinates or draw number): SHA-256 turns the names into a 64-bit key, and the SplitMix64 finaliser
mixes the key with the position. Only integer arithmetic is used, so numpy, plain Python and the
compiled kernels agree on every machine, and the order of evaluation does not matter. The `dotnet`
stream repeats `System.Random(seed)`, one sequence for a whole layer, for levels that must equal
those of the reference programs.

Kernels draw through `Stream.draws(...)`; see `exporter.kernels.random_draws`.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exporter.kernels.random_draws import COMPILED, SEED_MAXIMUM, SEED_MINIMUM, Draws, fill_hashes
from exporter.model.errors import ParameterError
from exporter.model.keys import normalised_seed

__all__ = [
    "DotnetStream",
    "Draws",
    "PortableStream",
    "Stream",
    "derive_key",
    "hash_grid",
    "open_stream",
]

Order = Literal["rows", "columns"]

MASK = 0xFFFFFFFFFFFFFFFF
STEP = 0x9E3779B97F4A7C15
MULTIPLIER_1 = 0xBF58476D1CE4E5B9
MULTIPLIER_2 = 0x94D049BB133111EB
# Part of every key: another arithmetic would be another domain, never a silent change.
DOMAIN = b"level exporter streams 1"


def open_stream(rng: str, seed: int | str, layer: str, origin: tuple[int, int] = (0, 0)) -> Stream:
    """Open the random stream of a layer.

    Args:
        rng: `portable` or `dotnet`.
        seed: Any integer or text. The integer 5 and the text "5" are different seeds; different
            Unicode forms of a text are the same seed. With `dotnet` an integer from -2147483648 to
            2147483647.
        layer: The layer's name. With `dotnet` all layers get equal streams: each starts its own
            `Random(seed)`.
        origin: The cell (x, y) of the layer that is cell (0, 0) of this stream, so that a window of
            a layer gets the numbers of its own cells. Only for `portable`.

    Raises:
        ParameterError: The seed does not fit the stream; the error has the path `("seed",)`.
        ValueError: There is no stream called `rng`.
    """
    seed = normalised_seed(seed)
    portable = PortableStream((seed, layer), origin)
    if rng == "portable":
        return portable
    if rng == "dotnet":
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise ParameterError(
                f"the seed {seed!r} is text, but `rng: dotnet` needs an integer (allowed: "
                f"{SEED_MINIMUM} to {SEED_MAXIMUM})",
                ("seed",),
            )
        if not SEED_MINIMUM <= seed <= SEED_MAXIMUM:
            raise ParameterError(
                f"the seed {seed} is too large for rng: dotnet ({SEED_MINIMUM} to {SEED_MAXIMUM})",
                ("seed",),
            )
        return DotnetStream(seed, portable)
    raise ValueError(f"unknown random stream {rng!r} (known: portable, dotnet)")


class Stream(ABC):
    """A source of random numbers for one layer.

    A *purpose* is a name for what the numbers decide ("fill", "visits"). In the portable stream
    equal purposes give equal numbers, so use a new purpose for every new decision.
    """

    rng: Literal["portable", "dotnet"]

    @property
    @abstractmethod
    def portable(self) -> PortableStream:
        """The portable stream of the layer, also if this is a `dotnet` one.

        Generators that do not come from the reference programs always use it.
        """

    @abstractmethod
    def child(self, *purpose: int | str) -> Stream:
        """Return a stream for the part of the work that `purpose` names.

        The child of a `portable` stream is independent; a `dotnet` stream, which has only one
        sequence, returns itself.
        """

    @abstractmethod
    def draws(self, *purpose: int | str) -> Draws:
        """Return random numbers for `purpose`, drawn one after another.

        For `portable` this is a new sequence from its start; for `dotnet` the only sequence, in its
        current state.
        """

    @abstractmethod
    def cells_below(
        self, purpose: int | str, width: int, height: int, bound: int, order: Order = "rows"
    ) -> NDArray[np.uint16]:
        """Return a random number from 0 to `bound - 1` for each cell.

        The result is uint16 [height, width].

        Args:
            purpose: The name of what the numbers decide.
            width: The number of columns.
            height: The number of rows.
            bound: At most 65536. A portable number is scaled from 16 bits, so small bounds are more
                even.
            order: The order in which `dotnet` draws: `rows` (row after row) or `columns`. Ignored
                by `portable`.
        """

    def chance(
        self, purpose: int | str, width: int, height: int, percent: int, order: Order = "rows"
    ) -> NDArray[np.bool_]:
        """Return a mask in which each cell is True with `percent` % probability.

        The result is bool [height, width]. A cell is True if its random number below 100 is below
        `percent`. `purpose` names what the numbers decide; `order` is in which order `dotnet` draws
        them.
        """
        return self.cells_below(purpose, width, height, 100, order) < percent


class PortableStream(Stream):
    """Random numbers that are equal on all machines, in any order of use."""

    rng: Literal["portable", "dotnet"] = "portable"

    def __init__(self, path: tuple[int | str, ...], origin: tuple[int, int] = (0, 0)) -> None:
        self.path = path
        self.origin = origin
        self.key = derive_key(path)

    @property
    def portable(self) -> PortableStream:
        """This stream itself."""
        return self

    def child(self, *purpose: int | str) -> PortableStream:
        """Return an independent stream for the work that `purpose` names."""
        return PortableStream((*self.path, *purpose), self.origin)

    def draws(self, *purpose: int | str) -> Draws:
        """Return a new sequence of random numbers for `purpose`."""
        return Draws(derive_key((*self.path, *purpose)))

    def each_draws(
        self, purpose: int | str, places: Iterable[tuple[int | str, ...]]
    ) -> Iterator[Draws]:
        """Yield random numbers for each of `places`, as `draws` would, but faster.

        The purpose of each is `purpose` followed by the items of the place.
        """
        begun = hashlib.sha256(DOMAIN + _text((*self.path, purpose)))
        for position in places:
            digest = begun.copy()
            digest.update(_text(position))
            yield Draws(_key(digest.digest()))

    def words(self, purpose: int | str, width: int, height: int) -> NDArray[np.uint64]:
        """Return 64 random bits for each cell: uint64 [height, width]."""
        return hash_grid(derive_key((*self.path, purpose)), width, height, *self.origin)

    def cells(self, purpose: int | str, width: int, height: int) -> NDArray[np.uint16]:
        """Return 16 random bits for each cell: uint16 [height, width].

        `purpose` names what they decide. One 64-bit hash serves four neighbouring cells of a row. A
        cell's value does not depend on the size of the grid.
        """
        x, y = self.origin
        word, skipped = divmod(x, 4)
        words = hash_grid(
            derive_key((*self.path, purpose)), (skipped + width + 3) // 4, height, word, y
        )
        lanes = words.astype("<u8", copy=False).view("<u2").astype(np.uint16, copy=False)
        return lanes[:, skipped : skipped + width]

    def cells_below(
        self, purpose: int | str, width: int, height: int, bound: int, order: Order = "rows"
    ) -> NDArray[np.uint16]:
        """Return the 16 bits of each cell, scaled to 0..`bound - 1`."""
        _check_bound(bound)
        scaled = self.cells(purpose, width, height).astype(np.uint32)
        scaled *= np.uint32(bound)
        scaled >>= np.uint32(16)
        return scaled.astype(np.uint16)

    def chance(
        self, purpose: int | str, width: int, height: int, percent: int, order: Order = "rows"
    ) -> NDArray[np.bool_]:
        """Return the same as `Stream.chance`, but without scaling numbers."""
        if percent >= 100:
            return np.ones((height, width), bool)
        # raw * 100 >> 16 < percent, solved for raw.
        threshold = -(-(max(percent, 0) << 16) // 100)
        return self.cells(purpose, width, height) < np.uint16(threshold)


class DotnetStream(Stream):
    """The reference programs' stream: one `System.Random` for all purposes."""

    rng: Literal["portable", "dotnet"] = "dotnet"

    def __init__(self, seed: int, portable: PortableStream) -> None:
        self.seed = seed
        self._portable = portable
        self._draws = Draws(0, True, seed)

    @property
    def portable(self) -> PortableStream:
        """The portable stream of the same seed and layer."""
        return self._portable

    def child(self, *purpose: int | str) -> DotnetStream:
        """Return the stream itself, since all purposes share its one sequence."""
        return self

    def draws(self, *purpose: int | str) -> Draws:
        """Return the stream's only sequence, which goes on where it was left."""
        return self._draws

    def cells_below(
        self, purpose: int | str, width: int, height: int, bound: int, order: Order = "rows"
    ) -> NDArray[np.uint16]:
        """Draw a number from 0 to `bound - 1` for each cell, in the given `order`."""
        _check_bound(bound)
        numbers = array("i", bytes(4 * width * height))
        self._draws.fill(numbers, 0, bound)
        values = np.frombuffer(numbers, np.int32).astype(np.uint16)
        if order == "rows":
            return values.reshape(height, width)
        return np.ascontiguousarray(values.reshape(width, height).T)


def derive_key(path: tuple[int | str, ...]) -> int:
    """Return the 64-bit key for a `path` of names and numbers.

    Each item is hashed with its type and length, so different paths never hash the same bytes.
    """
    return _key(hashlib.sha256(DOMAIN + _text(path)).digest())


def _text(path: tuple[int | str, ...]) -> bytes:
    """Return the bytes to hash for a `path`: each item with type and length."""
    return b"".join(
        [_text_of(part) if isinstance(part, str) else _text_of_number(part) for part in path]
    )


@lru_cache(maxsize=256)
def _text_of(part: str) -> bytes:
    text = part.encode("utf-8", "surrogatepass")
    return b"t%d:%b" % (len(text), text)


def _text_of_number(part: int) -> bytes:
    number = b"%x" % int(part)
    return b"i%d:%b" % (len(number), number)


def _key(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "little")


def hash_grid(key: int, width: int, height: int, x: int = 0, y: int = 0) -> NDArray[np.uint64]:
    """Return the SplitMix64 hash of each cell of a window.

    The window begins at the cell (`x`, `y`); the result is uint64 [height, width]. Cell (x, y) has
    value number `y * 2**32 + x` of the sequence that `Draws(key)` reads; coordinates are below
    2**32.
    """
    values = np.empty((height, width), np.uint64)
    if COMPILED and values.size:
        fill_hashes(values.data, key & MASK, x, y)
        return values
    columns = np.arange(x, x + width, dtype=np.uint64) * np.uint64(STEP)
    rows = np.arange(y, y + height, dtype=np.uint64) << np.uint64(32)
    rows = rows * np.uint64(STEP) + np.uint64((key + STEP) & MASK)
    # In blocks that stay in the cache: three times as fast on a big grid.
    block = max(1, 16384 // max(1, width))
    for top in range(0, height, block):
        value = values[top : top + block]
        np.add(rows[top : top + block, None], columns[None, :], out=value)
        _finalise(value)
    return values


def _finalise(value: NDArray[np.uint64]) -> None:
    """Mix each word of `value` in place with the finaliser of SplitMix64."""
    shifted = value >> np.uint64(30)
    value ^= shifted
    value *= np.uint64(MULTIPLIER_1)
    np.right_shift(value, np.uint64(27), out=shifted)
    value ^= shifted
    value *= np.uint64(MULTIPLIER_2)
    np.right_shift(value, np.uint64(31), out=shifted)
    value ^= shifted


def _check_bound(bound: int) -> None:
    if not 1 <= bound <= 65536:
        raise ValueError(f"the bound {bound} is out of range (allowed: 1 to 65536)")
