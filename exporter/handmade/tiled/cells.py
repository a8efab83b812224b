"""Decode the cells of a Tiled layer or chunk in any encoding."""

from __future__ import annotations

import binascii
import importlib
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.handmade.tiled.limits import TiledError
from exporter.handmade.tiled.values import Document, text

Numbers = NDArray[np.uint32]
Cells = NDArray[np.unsignedinteger[Any]]

# Tiled keeps flips and turns of a tile in the highest bits: horizontally, vertically, diagonally,
# and by 120 degrees in hexagonal maps. They change no tile's meaning.
NUMBER_BITS = np.uint32(0x0FFFFFFF)
_SPACE = b" \t\r\n"
# Characters of a number with the comma behind it and the spaces around it.
_LONGEST_ENTRY = 64
_DIGITS = 10  # of the largest number
# Characters that are parsed at once: a cell takes eighty bytes meanwhile.
_BLOCK = 1 << 18
_LARGEST_NUMBER = (1 << 32) - 1
# Largest memory that a stream of zstd may ask for: 2**27 bytes.
_ZSTD_WINDOW = 27
_NO_ZSTD = (
    "is compressed with zstd, which needs Python 3.14 or the package `zstandard` (install "
    "`level-exporter[zstd]`, or choose another compression in the map's properties in Tiled)"
)


def read_cells(data: Any, layer: Document, width: int, height: int) -> Cells:
    """Return the tile numbers of a layer or chunk, without bits for flips.

    The result is uint16 [height, width] if all numbers fit, else uint32. `read_numbers` describes
    the arguments and errors.
    """
    numbers = read_numbers(data, layer, width, height) & NUMBER_BITS
    return numbers.astype(np.uint16) if int(numbers.max(initial=0)) < 1 << 16 else numbers


def read_numbers(data: Any, layer: Document, width: int, height: int) -> Numbers:
    """Return the tile numbers of a layer or chunk, with bits for flips.

    The result is uint32 [height, width].

    Args:
        data: The list, text or base64 of the cells.
        layer: The layer, with the encoding of its cells.
        width: Width in cells; the caller has checked that it is allowed.
        height: Height in cells, checked likewise.

    Raises:
        TiledError: The cells are broken, or not `width` x `height` of them.
    """
    count = width * height
    encoding = text(layer, "encoding")
    if encoding == "base64":
        numbers = _of_base64(data, text(layer, "compression"), count)
    elif encoding not in ("", "csv", "tiles"):
        raise TiledError(
            f"has cells in the encoding {encoding[:40]!r} (known: csv, base64; choose one in the "
            "map's properties in Tiled)"
        )
    elif isinstance(data, list):
        numbers = _of_list(data, count)
    else:
        numbers = _of_csv(data, count)
    return numbers.reshape(height, width)


def _of_list(data: list[Any], count: int) -> Numbers:
    """Return the `count` numbers in `data`; in XML they are texts."""
    if len(data) != count:
        raise _wrong_count(len(data), count)
    if data and all(isinstance(item, str) for item in data):
        return _of_csv(",".join(data), count)
    try:
        numbers = np.array(data)
    except (ValueError, OverflowError):
        raise TiledError("has cells that are not numbers") from None
    whole = numbers.dtype.kind in "iu" and numbers.ndim == 1
    if not whole or (count and not 0 <= int(numbers.min()) <= int(numbers.max()) < 1 << 32):
        raise TiledError("has cells that are not tile numbers")
    return numbers.astype(np.uint32)


def _of_csv(data: Any, count: int) -> Numbers:
    if not isinstance(data, str):
        raise TiledError("has no cells")
    between = data.count(",")
    if not count - 1 <= between <= count:
        last = data[data.rfind(",") + 1 :].strip(_SPACE.decode())
        raise _wrong_count(between + bool(last), count)
    if len(data) > (count + 1) * _LONGEST_ENTRY:
        raise TiledError("has cells that are not tile numbers")
    numbers = np.empty(count, np.uint32)
    found = start = 0
    while start < len(data):
        end = data.find(",", start + _BLOCK)
        end = end if end >= 0 else len(data)
        block = _block_of_csv(data[start:end], is_last=end == len(data))
        if found + block.size > count:
            raise _wrong_count(found + block.size, count)
        numbers[found : found + block.size] = block
        found, start = found + block.size, end + 1
    if found != count:
        raise _wrong_count(found, count)
    return numbers


def _block_of_csv(data: str, *, is_last: bool) -> NDArray[np.int64]:
    try:
        symbols = np.frombuffer(data.encode("ascii"), np.uint8)
    except UnicodeEncodeError:
        raise TiledError("has cells that are not numbers") from None
    digits = (symbols >= ord("0")) & (symbols <= ord("9"))
    commas = symbols == ord(",")
    spaces = np.isin(symbols, np.frombuffer(_SPACE, np.uint8))
    if not (digits | commas | spaces).all():
        raise TiledError("has cells that are not numbers")
    if is_last and spaces.all():
        return np.zeros(0, np.int64)
    before = np.concatenate(([False], digits[:-1]))
    after = np.concatenate((digits[1:], [False]))
    first = np.flatnonzero(digits & ~before)
    last = np.flatnonzero(digits & ~after)
    if is_last and first.size:
        # Scripts and other editors write a comma behind the last number, too.
        behind = np.flatnonzero(commas[last[-1] :])
        commas[last[-1] + behind[:1]] = False
    # Exactly one comma is before each number but the first.
    count = int(np.count_nonzero(commas)) + 1
    placed = np.searchsorted(np.flatnonzero(commas), first)
    lengths = last - first + 1
    if not np.array_equal(placed, np.arange(count)) or int(lengths.max()) > _DIGITS:
        raise TiledError("has cells that are not tile numbers")
    values = np.zeros(count, np.int64)
    for index in range(int(lengths.max())):
        longer = lengths > index
        if longer.all():
            values = values * 10 + (symbols[first + index] - ord("0"))
        else:
            values[longer] = values[longer] * 10 + (symbols[first[longer] + index] - ord("0"))
    if int(values.max()) > _LARGEST_NUMBER:
        raise TiledError("has cells that are not tile numbers")
    return values


def _of_base64(data: Any, compression: str, count: int) -> Numbers:
    """Decode base64 cells, unpacking no more than `count` cells need."""
    if not isinstance(data, str):
        raise TiledError("has no cells")
    try:
        plain = data.encode("ascii").translate(None, _SPACE)
        packed = binascii.a2b_base64(plain, strict_mode=True)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise TiledError(f"has cells that are not base64 ({error})") from None
    unpacked = _unpack(packed, compression, 4 * count)
    if len(unpacked) != 4 * count:
        more = len(unpacked) > 4 * count
        raise _wrong_count(count + 1 if more else len(unpacked) // 4, count)
    return np.frombuffer(unpacked, "<u4").astype(np.uint32, copy=False)


def _unpack(packed: bytes, compression: str, size: int) -> bytes:
    """Unpack `packed` to at most one byte more than `size`.

    That byte shows that there is too much, without unpacking all of it.
    """
    if compression == "":
        return packed
    if compression in ("zlib", "gzip"):
        unpacker = zlib.decompressobj(15 if compression == "zlib" else 31)
        try:
            unpacked = unpacker.decompress(packed, size + 1)
        except zlib.error as error:
            raise TiledError(f"has cells that cannot be unpacked ({error})") from None
        if len(unpacked) == size and not unpacker.eof:
            raise TiledError("has incomplete cell data")
        return unpacked
    if compression == "zstd":
        return _of_zstd(packed, size)
    raise TiledError(
        f"has cells in the compression {compression[:40]!r} (known: zlib, gzip, zstd; choose one "
        "in the map's properties in Tiled)"
    )


def _of_zstd(packed: bytes, size: int) -> bytes:
    zstd = _module("compression.zstd")
    if zstd is not None:
        options = {zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW}
        decompressor = zstd.ZstdDecompressor(options=options)
        try:
            return bytes(decompressor.decompress(packed, size + 1))
        except (zstd.ZstdError, EOFError) as error:
            raise TiledError(f"has cells that cannot be unpacked ({error})") from None
    zstandard = _module("zstandard")
    if zstandard is None:
        raise TiledError(_NO_ZSTD)
    decompressor = zstandard.ZstdDecompressor(max_window_size=1 << _ZSTD_WINDOW)
    try:
        with decompressor.stream_reader(packed) as reader:
            return bytes(reader.read(size + 1))
    except zstandard.ZstdError as error:
        raise TiledError(f"has cells that cannot be unpacked ({error})") from None


def _module(name: str) -> Any:
    """Import the optional module `name`; return None if it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _wrong_count(found: int, expected: int) -> TiledError:
    more = " or more" if found > expected else ""
    return TiledError(f"has the wrong number of cells (needed: {expected}, found: {found}{more})")
