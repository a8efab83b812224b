"""Compress any bytes, with matches at any distance.

A token is a literal byte or a match, which repeats earlier bytes. Matches come from a compiled loop
over hash chains. Short stretches of tokens are joined into blocks as long as a code table for both
together takes no more bits than one for each. Each block is written in the shortest of deflate's
three forms: with tables of its own, with the fixed tables, or uncompressed.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from exporter.deflate._bits import STORED_LIMIT, pack_bits, stored_blocks
from exporter.deflate._codes import (
    END_OF_BLOCK,
    LENGTH_EXTRA,
    LENGTH_EXTRA_BITS,
    LENGTH_SYMBOL,
    block_header,
    code_patterns,
    code_widths,
)
from exporter.kernels import deflate as kernel
from exporter.kernels import warn_uncompiled

# Candidates tried with the same three bytes, and with the same eight.
CHAINS = (128, 2048)
QUICK_CHAINS = (16, 32)
STRETCH_TOKENS = 8192
QUICK_STRETCH_TOKENS = 32768
# Matches never reach over the end of a part; only one part's tokens are in memory at a time.
PART_BYTES = 1 << 20

_SYMBOLS = 286
_DISTANCES = 30


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The tokens of a part of the data, and their deflate symbols.

    Attributes:
        tokens: uint32 [n]: a byte; or `distance << 9 | length` of a match.
        symbols: uint16 [n]: the symbol of each byte or match length, 0..285.
        distances: uint8 [n]: the symbol of each match's distance, 30 for bytes.
    """

    tokens: NDArray[np.uint32]
    symbols: NDArray[np.uint16]
    distances: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class _Tables:
    """How often a block uses each symbol, and Huffman codes fitted to that."""

    counts: NDArray[np.int64]
    distance_counts: NDArray[np.int64]
    widths: list[int]
    distance_widths: list[int]
    header: list[tuple[int, int]]
    bits: int  # of the header and all symbols, without the extra bits of matches


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The tokens `start` to `end` of a part, which may become a block."""

    start: int
    end: int
    tables: _Tables


def compress(data: bytes, quick: bool = False) -> bytes:
    """Compress `data` to a zlib stream, about as small as zlib's best.

    With `quick`, fewer matches are tried: this is about four times as fast; grids become 1 to 2 %
    longer, texts more.
    """
    warn_uncompiled(kernel.COMPILED, "deflate", len(data), 100_000)
    # 0x78: deflate with a 32 KiB window; 0xda: strongest level, and a multiple of 31 with it.
    out = [b"\x78\xda"]
    carry, carried = 0, 0
    for begin in range(0, max(len(data), 1), PART_BYTES):
        end = min(begin + PART_BYTES, len(data))
        part = _part(data, begin, end, QUICK_CHAINS if quick else CHAINS)
        at = begin
        stretches = _stretches(part, QUICK_STRETCH_TOKENS if quick else STRETCH_TOKENS)
        for number, stretch in enumerate(stretches):
            size = _covered(part, stretch)
            final = end == len(data) and number == len(stretches) - 1
            raw = data[at : at + size]
            piece, carry, carried = _block(part, stretch, raw, carry, carried, final)
            out.append(piece)
            at += size
    out.append(carry.to_bytes((carried + 7) // 8, "little"))
    out.append(zlib.adler32(data).to_bytes(4, "big"))
    return b"".join(out)


def _part(data: bytes, begin: int, end: int, chains: tuple[int, int]) -> _Part:
    """Divide `data[begin:end]` into tokens; matches may copy bytes before it.

    `chains` is how many earlier positions are tried: with the same three bytes, and with eight.
    """
    history = min(begin, kernel.WINDOW)
    seen = np.frombuffer(data, np.uint8, end - begin + history, begin - history).copy()
    newest = np.full((2, kernel.HASHES), -1, np.int32)
    older = np.zeros((2, kernel.WINDOW), np.int32)
    room = np.empty(max(end - begin, 1), np.uint32)
    # Memory views give an interpreted kernel Python's integers, which cannot wrap around.
    count = kernel.find_tokens(seen.data, history, *chains, newest.data, older.data, room.data)
    tokens = room[:count].copy()
    distances = tokens >> np.uint32(kernel.DISTANCE_SHIFT)
    low = tokens & np.uint32((1 << kernel.DISTANCE_SHIFT) - 1)
    matches = distances > 0
    symbols = low.astype(np.uint16)
    symbols[matches] = LENGTH_SYMBOL[low[matches]]
    return _Part(tokens, symbols, _distance_tables()[0][distances])


def _covered(part: _Part, stretch: _Stretch) -> int:
    """Return how many bytes of data the tokens of `stretch` stand for."""
    tokens = part.tokens[stretch.start : stretch.end]
    matches = tokens[tokens >= 1 << kernel.DISTANCE_SHIFT]
    lengths = matches & np.uint32((1 << kernel.DISTANCE_SHIFT) - 1)
    return int(lengths.sum(dtype=np.int64)) + tokens.size - matches.size


def _stretches(part: _Part, tokens: int) -> list[_Stretch]:
    """Divide `part` into stretches of tokens, each of which becomes a block.

    They have `tokens` tokens at first; neighbours are joined if that takes no more bits.
    """
    blocks: list[_Stretch] = []
    for start in range(0, max(part.tokens.size, 1), tokens):
        end = min(start + tokens, part.tokens.size)
        counts = np.bincount(part.symbols[start:end], minlength=_SYMBOLS)
        counts[END_OF_BLOCK] = 1
        distances = np.bincount(part.distances[start:end], minlength=_DISTANCES + 1)
        stretch = _Stretch(start, end, _tables(counts, distances[:_DISTANCES]))
        if blocks:
            joined = _joined(blocks[-1], stretch)
            if joined.tables.bits <= blocks[-1].tables.bits + stretch.tables.bits:
                blocks[-1] = joined
                continue
        blocks.append(stretch)
    return blocks


def _joined(first: _Stretch, second: _Stretch) -> _Stretch:
    counts = first.tables.counts + second.tables.counts
    counts[END_OF_BLOCK] = 1
    distance_counts = first.tables.distance_counts + second.tables.distance_counts
    return _Stretch(first.start, second.end, _tables(counts, distance_counts))


def _tables(counts: NDArray[np.int64], distance_counts: NDArray[np.int64]) -> _Tables:
    widths = code_widths(counts.tolist(), 15)
    distance_widths = code_widths(distance_counts.tolist(), 15)
    while not distance_widths[-1]:
        distance_widths.pop()
    header = block_header(widths, distance_widths)
    bits = sum(size for _, size in header) + int(counts @ np.array(widths))
    bits += int(distance_counts[: len(distance_widths)] @ np.array(distance_widths))
    return _Tables(counts, distance_counts, widths, distance_widths, header, bits)


def _block(
    part: _Part, stretch: _Stretch, raw: bytes, carry: int, carried: int, final: bool
) -> tuple[bytes, int, int]:
    """Encode `stretch` as a block; return its full bytes and the bits left.

    `raw` are the bytes that it encodes. `carry` has the `carried` pending bits of earlier
    blocks; those left are returned in the same form. `final` ends the stream.
    """
    tables = stretch.tables
    fixed, fixed_distances = _fixed_widths()
    fixed_bits = 3 + int(tables.counts @ np.array(fixed[:_SYMBOLS]))
    fixed_bits += 5 * int(tables.distance_counts.sum())
    bits = min(tables.bits, fixed_bits) + _extra_bits(tables)
    stored_bits = 8 * len(raw) + 40 * -(-len(raw) // STORED_LIMIT) + 3 + 7
    if raw and stored_bits < bits:
        return stored_blocks(carry, carried, raw, final), 0, 0
    if fixed_bits <= tables.bits:
        header = [(int(final) | 0b010, 3)]
        widths, distance_widths = fixed, fixed_distances
    else:
        (kind, size), *rest = tables.header
        header = [(kind | int(final), size), *rest]
        widths, distance_widths = tables.widths, tables.distance_widths
    codes, sizes = _code_tokens(part, stretch, header, widths, distance_widths)
    return pack_bits(carry, carried, codes, sizes)


def _extra_bits(tables: _Tables) -> int:
    """Return how many extra bits all matches of a stretch take.

    Extra bits choose a length or distance in the range that a symbol means.
    """
    lengths = int(tables.counts[257:] @ _length_extra_bits())
    return lengths + int(tables.distance_counts @ (np.maximum(np.arange(_DISTANCES), 2) // 2 - 1))


def _code_tokens(
    part: _Part,
    stretch: _Stretch,
    header: list[tuple[int, int]],
    widths: list[int],
    distance_widths: list[int],
) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Return the bit patterns of a block, and how many bits each has.

    There is one for each item of `header`, each token of `stretch` and the end of the block. A
    match is one pattern: its length and distance with their extra bits. The first bit is the
    lowest. `widths` and `distance_widths` are the lengths of the Huffman codes.
    """
    tokens = part.tokens[stretch.start : stretch.end]
    symbols = part.symbols[stretch.start : stretch.end]
    first = len(header)
    codes = np.empty(first + tokens.size + 1, np.uint64)
    sizes = np.empty(codes.size, np.uint8)
    codes[:first] = [pattern for pattern, _ in header]
    sizes[:first] = [size for _, size in header]
    width_of, pattern_of = np.array(widths, np.uint8), np.array(code_patterns(widths), np.uint64)
    codes[first:-1] = pattern_of[symbols]
    sizes[first:-1] = width_of[symbols]
    codes[-1], sizes[-1] = pattern_of[END_OF_BLOCK], width_of[END_OF_BLOCK]

    # A match goes on with the length's extra bits, the distance's code and its extra bits.
    where = np.flatnonzero(tokens >= 1 << kernel.DISTANCE_SHIFT)
    lengths = tokens[where] & np.uint32((1 << kernel.DISTANCE_SHIFT) - 1)
    distances = tokens[where] >> np.uint32(kernel.DISTANCE_SHIFT)
    distance_codes = part.distances[stretch.start : stretch.end][where]
    _, extras, extra_bits = _distance_tables()
    pattern, size = codes[first + where], sizes[first + where].astype(np.uint64)
    for value, width in (
        (LENGTH_EXTRA[lengths], LENGTH_EXTRA_BITS[lengths]),
        (
            np.array(code_patterns(distance_widths), np.uint64)[distance_codes],
            np.array(distance_widths, np.uint64)[distance_codes],
        ),
        (extras[distances], extra_bits[distances]),
    ):
        pattern |= value << size
        size += width
    codes[first + where] = pattern
    sizes[first + where] = size.astype(np.uint8)
    return codes, sizes


@cache
def _distance_tables() -> tuple[NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint64]]:
    """Return arrays by match distance: symbol, extra value, extra bits.

    A symbol means a range of distances; the value, which has that many bits, chooses one of them.
    Distance 0 is unused.
    """
    symbols = np.full(kernel.WINDOW + 1, _DISTANCES, np.uint8)
    extras = np.zeros(symbols.size, np.uint64)
    bits = np.zeros(symbols.size, np.uint64)
    first = 1
    for symbol in range(_DISTANCES):
        width = max(symbol // 2 - 1, 0)
        reached = slice(first, first + (1 << width))
        symbols[reached], bits[reached] = symbol, width
        extras[reached] = np.arange(1 << width)
        first += 1 << width
    return symbols, extras, bits


@cache
def _length_extra_bits() -> NDArray[np.int64]:
    """Return the number of extra bits of each length symbol, 257 to 285."""
    bits = np.zeros(_SYMBOLS - 257, np.int64)
    bits[LENGTH_SYMBOL[3:] - 257] = LENGTH_EXTRA_BITS[3:]
    return bits


@cache
def _fixed_widths() -> tuple[list[int], list[int]]:
    """Return the fixed code lengths of symbols and distances (RFC 1951 3.2.6)."""
    return [8] * 144 + [9] * 112 + [7] * 24 + [8] * 8, [5] * 32
