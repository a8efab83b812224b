"""Define codecs, their registry, and the limits of decoding.

A codec turns one array into a payload and back. The type and shape of the array are stored outside
the payload, in the frame or the blob's directory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.model.errors import BlobError, RegistryError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.registry import Registry, module_summary

# Numbers from here on are for codecs of other distributions. They are used in frames alone, and
# only by name: the readers of blobs in the engines know the built-in ones.
FIRST_OF_OTHERS = 128
LARGEST_NUMBER = 255

Profile = Literal["small", "fast"]
Array: TypeAlias = NDArray[Any]

# The element types of frames and blobs, by their code there.
ELEMENTS: tuple[np.dtype[Any], ...] = tuple(
    np.dtype(name) for name in ("bool", "uint8", "<u2", "<i4")
)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of decoding; larger data is refused before any work.

    `exporter/docs/reference/blob-format.md` defines the price of each item in bytes and steps. The
    defaults are enough for the largest levels that the exporter makes.

    Attributes:
        cells: The number of elements of one array.
        total: The bytes of everything in one frame or blob.
        steps: The steps of work for everything in one blob.
        chunks: The number of chunks of one blob.
        depth: The nesting depth of lists and mappings in values.
        values: The number of scalars, lists and mappings in one chunk of values.
        text: The bytes of the JSON text of one chunk of values.
    """

    cells: int = 1 << 26
    total: int = 1 << 28
    steps: int = 1 << 30
    chunks: int = 1 << 16
    depth: int = 64
    values: int = 1 << 21
    text: int = 1 << 24

    @classmethod
    def for_strangers(cls) -> Limits:
        """Return limits for files that come from strangers.

        With these limits, decoding a blob takes at most 256 MB and about two seconds, in any
        language. Levels of a million cells fit if they have the `fast` profile; others may not.
        """
        return cls(
            cells=1 << 22,
            total=1 << 25,
            steps=1 << 23,
            chunks=1 << 10,
            values=1 << 16,
            text=1 << 20,
        )

    def check(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> int:
        """Return the bytes of an array of this shape and element type.

        Raises:
            BlobError: The array is larger than the limits allow.
        """
        count = prod(shape)
        if count > self.cells or count * dtype.itemsize > self.total:
            raise BlobError(
                f"an array of shape {shape} is over the limit of {self.cells} cells and "
                f"{self.total} bytes"
            )
        return count * dtype.itemsize


@dataclass(frozen=True, slots=True)
class Side:
    """Further inputs that both encoder and decoder of a codec get.

    Attributes:
        cells: Another array of the same shape, such as a layer that this one follows from.
        prior: Another payload of the same codec, which the new one continues: its head is used
            again, and so is what the coder has learned from it.
        prior_shape: The shape of the array in `prior`.
    """

    cells: Array | None = None
    prior: bytes | None = None
    prior_shape: tuple[int, ...] = ()


NO_SIDE = Side()

Encode: TypeAlias = Callable[[Array, Side], bytes | None]
Decode: TypeAlias = Callable[[bytes, tuple[int, ...], np.dtype[Any], Side], Array]
Least: TypeAlias = Callable[[Array, int, Side], int | None]


@dataclass(frozen=True, slots=True)
class Codec:
    """A registered codec: its name, number and functions.

    Attributes:
        name: The module's name; the `codec=` argument of `encode`.
        number: The id in frames and blobs.
        encode: `(array, side) -> payload`; None if the codec cannot encode this array. The array is
            C-ordered and little-endian.
        decode: `(payload, shape, dtype, side) -> array`; may raise any exception for a damaged
            payload (callers turn it into BlobError), but must not allocate more than the shape or
            run without bound.
        profiles: The profiles that try the codec if none is named; empty for a third-party codec.
        least: `(array, distinct, side)` -> the fewest bytes that a payload could have; None if the
            codec cannot encode such arrays. `distinct` is the number of distinct values, at most
            257. Used to skip codecs that cannot win.
        last_resort: The profiles that try the codec only if the others save less than a quarter.
        continues: Whether the codec can continue a prior, an earlier payload. The new payload then
            has no head.
        summary: A description: the first paragraph of the module's docstring.
    """

    name: str
    number: int
    encode: Encode
    decode: Decode
    profiles: tuple[Profile, ...]
    least: Least
    last_resort: tuple[Profile, ...] = ()
    continues: bool = False
    summary: str = ""


CODECS: Registry[Codec] = Registry(
    "exporter.codecs", "codec", Codec, helpers=("codec", "entropy", "frame", "uncompiled")
)


def _never(array: Array, distinct: int, side: Side) -> int | None:
    """Return None: without an estimate, a codec is used only if it is named."""
    return None


def codec(
    name: str,
    number: int,
    encode: Encode,
    decode: Decode,
    profiles: tuple[Profile, ...] = (),
    least: Least = _never,
    last_resort: tuple[Profile, ...] = (),
    continues: bool = False,
) -> Codec:
    """Register and return a codec; its module calls this once.

    `Codec` describes the arguments. A codec of another package has a number from 128 to 255 and
    sets neither `profiles` nor `continues`, so only `encode(..., codec=name)` uses it.

    Raises:
        ValueError: The number, the profiles or `continues` are not allowed.
    """
    module = encode.__module__
    ours = CODECS.is_ours(module)
    allowed = range(FIRST_OF_OTHERS) if ours else range(FIRST_OF_OTHERS, LARGEST_NUMBER + 1)
    if number not in allowed:
        raise ValueError(
            f"codec {name!r} of {module} cannot have the number {number} "
            f"(allowed: {allowed[0]} to {allowed[-1]})"
        )
    if not ours and (profiles or continues):
        raise ValueError(
            f"codec {name!r} of {module} is from another package, so it can only be chosen by "
            "name (leave out `profiles` and `continues`)"
        )
    entry = Codec(
        name,
        number,
        CODECS.guarded(name, encode),
        decode,
        profiles,
        least,
        last_resort,
        continues,
        module_summary(module),
    )
    CODECS.add(name, entry, module)
    return entry


def codec_by_number(number: int) -> Codec:
    """Return the codec registered with this `number`.

    Raises:
        BlobError: No codec has this number, or several have.
    """
    if number < FIRST_OF_OTHERS:
        entry = _own_codecs().get(number)
        if entry is None:
            raise BlobError(f"unknown codec {number}: the data is damaged or from a newer exporter")
        return entry
    result: list[Codec] = []
    problems: list[str] = []
    for name in CODECS.names():
        if name in CODECS.built_in():
            continue
        try:
            other = CODECS.get(name)
        except RegistryError as error:
            problems.append(str(error))
            continue
        if other.number == number:
            result.append(other)
    if len(result) > 1:
        both = " and ".join(f"{e.name!r} of {CODECS.origin(e.name)}" for e in result[:2])
        raise BlobError(f"two codecs share the number {number}: {both}")
    if not result:
        why = "; ".join([f"unknown codec {number}: no package with it is installed", *problems])
        raise BlobError(why)
    return result[0]


@cache
def _own_codecs() -> dict[int, Codec]:
    own = [CODECS.get(name) for name in CODECS.built_in()]
    return {entry.number: entry for entry in own}


def element_code(dtype: np.dtype[Any]) -> int:
    """Return the number that represents an element type in frames and blobs.

    Raises:
        TypeError: The type has no code.
    """
    for code, element in enumerate(ELEMENTS):
        if element == dtype.newbyteorder("<"):
            return code
    raise TypeError(f"cannot encode an array of {dtype} (allowed: bool, uint8, uint16, int32)")


def canonical(array: Array) -> Array:
    """Return `array` in row order and little-endian.

    Raises:
        TypeError: The element type is not supported.
        ValueError: The array does not have 1 to 3 dimensions.
    """
    if not 1 <= array.ndim <= 3:
        raise ValueError(f"cannot encode an array of {array.ndim} dimensions (allowed: 1 to 3)")
    return np.ascontiguousarray(array, ELEMENTS[element_code(array.dtype)])
