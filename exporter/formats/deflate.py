"""Deflate (RFC 1951) and zlib streams (RFC 1950) whose bytes are the same on every machine.

The zlib module only promises that its output can be decompressed: zlib, zlib-ng and the builds
of different platforms choose different matches. An export must give the same bytes everywhere,
so the formats here compress with this encoder. It is made for pictures and grids: a match only
ever repeats the bytes one pixel (or one cell) before, which finds the long runs such data
consists of, and everything is whole-array work. Huffman tables are fitted to each block; a
block that would not shrink is stored.
"""

from __future__ import annotations

import heapq
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

LONGEST_MATCH = 258
SHORTEST_RUN = 4
STORED_LIMIT = 65535
BLOCK_BYTES = 1 << 21

_END_OF_BLOCK = 256
# RFC 1951, 3.2.7: the order in which the lengths of the code length code are sent.
_LENGTH_CODE_ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """What one block says: literal bytes, and matches that all look back the same distance.

    Attributes:
        values: uint16 [n]: a byte, or the length 3..258 of a match.
        matches: bool [n]: which of them are matches.
    """

    values: NDArray[np.uint16]
    matches: NDArray[np.bool_]

    @staticmethod
    def joined(parts: list[Tokens]) -> Tokens:
        """Return the tokens of all parts, one after the other."""
        return Tokens(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.matches for part in parts]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The tokens of a block, and the bytes they stand for in any number of pieces."""

    tokens: Tokens
    pieces: Callable[[], Iterable[bytes]]
    size: int


def zlib_stream(data: bytes, distance: int = 1) -> bytes:
    """Compress bytes into a zlib stream.

    Args:
        data: Any bytes.
        distance: How far back a repeated run looks: the bytes of a pixel or cell, 1 to 32768.

    Raises:
        ValueError: If the distance is not in that range.
    """
    _distance_symbol(distance)

    def blocks() -> Iterator[Block]:
        for start in range(0, len(data), BLOCK_BYTES):
            part = data[start : start + BLOCK_BYTES]
            row = np.frombuffer(part, np.uint8)[None, :]
            yield Block(row_tokens(row, distance)[0], partial(_whole, part), len(part))

    return wrap(blocks(), distance)


def _whole(part: bytes) -> list[bytes]:
    return [part]


def wrap(blocks: Iterable[Block], distance: int) -> bytes:
    """Return the zlib stream of blocks whose matches all look `distance` back.

    Blocks may come from a generator; only one is in memory at a time.
    """
    # 0x78: deflate with a 32 KiB window; 0x5e makes the two bytes a multiple of 31.
    out = [b"\x78\x5e"]
    adler = 1
    # Bits not yet written: fewer than eight, the first in the lowest place.
    carry, carried = 0, 0
    for block in blocks:
        for piece in block.pieces():
            adler = zlib.adler32(piece, adler)
        codes, sizes = _dynamic_block(block.tokens, distance)
        bits = int(sizes.sum(dtype=np.int64))
        stored = 8 * block.size + 48 * (block.size // STORED_LIMIT + 1)
        if bits < stored:
            data, carry, carried = _pack(carry, carried, codes, sizes)
            out.append(data)
        else:
            out.append(_stored(carry, carried, b"".join(block.pieces())))
            carry, carried = 0, 0
    # The last block is an empty one with the fixed codes: final bit, kind 01, seven zero bits.
    end = carry | 0b011 << carried
    out.append(end.to_bytes((carried + 10 + 7) // 8, "little"))
    out.append(adler.to_bytes(4, "big"))
    return b"".join(out)


def row_tokens(rows: NDArray[np.uint8], distance: int) -> tuple[Tokens, NDArray[np.int64]]:
    """Cut rows into literals and matches; no match begins in one row and looks into another.

    Args:
        rows: uint8 [rows, bytes].
        distance: How far back matches look.

    Returns:
        The tokens, and the number of the first token of each row (with the end as one more).
    """
    count, length = rows.shape
    equal = np.zeros(rows.shape, bool)
    np.equal(rows[:, distance:], rows[:, :-distance], out=equal[:, distance:])
    repeats = equal.ravel()
    edges = np.flatnonzero(repeats[1:] != repeats[:-1]) + 1
    if repeats.size and repeats[-1]:
        edges = np.append(edges, repeats.size)
    starts, ends = edges[::2], edges[1::2]
    lengths = ends - starts
    short = lengths < SHORTEST_RUN
    begins = ~repeats
    begins[_ranges(starts[short], lengths[short])] = True

    starts, lengths = starts[~short], lengths[~short]
    places, sizes = _split_runs(starts, lengths)
    tails = lengths % LONGEST_MATCH
    # One or two bytes left over are too short for a match of their own.
    loose = (tails > 0) & (tails < 3)
    begins[_ranges((starts + lengths - tails)[loose], tails[loose])] = True
    begins[places] = True

    positions = np.flatnonzero(begins)
    values = rows.reshape(-1)[positions].astype(np.uint16)
    matches = np.zeros(positions.size, bool)
    where = np.searchsorted(positions, places)
    values[where] = sizes
    matches[where] = True
    first = np.searchsorted(positions, np.arange(count + 1) * length)
    return Tokens(values, matches), first


def _split_runs(
    starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the matches of long runs begin, and how long each is."""
    tails = lengths % LONGEST_MATCH
    pieces = lengths // LONGEST_MATCH + (tails >= 3)
    places = np.repeat(starts, pieces) + LONGEST_MATCH * _counts(pieces)
    ends = np.repeat(starts + lengths, pieces)
    return places, np.minimum(ends - places, LONGEST_MATCH)


def _counts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 0, 1, ... size-1 for each size, one after the other."""
    total = np.cumsum(sizes)
    return np.arange(int(total[-1]) if total.size else 0) - np.repeat(total - sizes, sizes)


def _ranges(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers start, start+1, ... of each range, one after the other."""
    return np.repeat(starts, sizes) + _counts(sizes)


def _stored(carry: int, carried: int, data: bytes) -> bytes:
    """Write data as it is, in blocks that begin after the carried bits."""
    out = []
    for start in range(0, len(data), STORED_LIMIT):
        part = data[start : start + STORED_LIMIT]
        # Three zero bits (not final, kind stored), then up to the next whole byte.
        out.append(carry.to_bytes((carried + 3 + 7) // 8, "little"))
        carry, carried = 0, 0
        out.append(len(part).to_bytes(2, "little"))
        out.append((len(part) ^ 0xFFFF).to_bytes(2, "little") + part)
    return b"".join(out)


def _dynamic_block(tokens: Tokens, distance: int) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Return the bit patterns (lowest bit first) and bit counts of a block with own tables."""
    lengths = tokens.values[tokens.matches]
    counts = np.bincount(tokens.values[~tokens.matches], minlength=286)
    counts += np.bincount(_LENGTH_SYMBOL[lengths], minlength=286)
    counts[_END_OF_BLOCK] = 1
    widths = code_widths(counts.tolist(), 15)
    patterns = _patterns(widths)
    symbol, extra, extra_bits = _distance_symbol(distance)
    # Two codes of one bit: a tree with a single leaf is legal, but not every reader likes it.
    spare = 0 if symbol else 1
    distance_widths = [int(i in (symbol, spare)) for i in range(max(symbol, spare) + 1)]
    distance_code = int(symbol > spare) | extra << 1
    head = _header(widths, distance_widths)

    width_of = np.array(widths, np.uint8)
    pattern_of = np.array(patterns, np.uint64)
    # A match is its length symbol, the length's extra bits, then the distance: one pattern.
    every = np.arange(LONGEST_MATCH + 1)
    length_width = width_of[_LENGTH_SYMBOL].astype(np.uint64)
    length_pattern = pattern_of[_LENGTH_SYMBOL] | _LENGTH_EXTRA[every] << length_width
    length_width = length_width + _LENGTH_EXTRA_BITS[every]
    length_pattern = length_pattern | np.uint64(distance_code) << length_width
    length_width = length_width + np.uint64(1 + extra_bits)

    table_pattern = np.concatenate([pattern_of[:256], length_pattern])
    table_width = np.concatenate([width_of[:256], length_width.astype(np.uint8)])
    index = tokens.values + tokens.matches.astype(np.uint16) * np.uint16(256)
    codes = np.empty(len(head) + index.size + 1, np.uint64)
    sizes = np.empty(codes.size, np.uint8)
    codes[: len(head)] = [pattern for pattern, _ in head]
    sizes[: len(head)] = [width for _, width in head]
    codes[len(head) : -1] = table_pattern[index]
    sizes[len(head) : -1] = table_width[index]
    codes[-1], sizes[-1] = patterns[_END_OF_BLOCK], widths[_END_OF_BLOCK]
    return codes, sizes


def _pack(
    carry: int, carried: int, codes: NDArray[np.uint64], sizes: NDArray[np.uint8]
) -> tuple[bytes, int, int]:
    """Lay bit patterns end to end after the carried bits; return whole bytes and the rest."""
    ends = np.cumsum(sizes, dtype=np.int64) + carried
    total = int(ends[-1])
    starts = ends - sizes
    words = starts >> 6
    shifts = (starts & 63).astype(np.uint64)
    out = np.zeros((total >> 6) + 2, np.uint64)
    firsts = np.flatnonzero(np.diff(words, prepend=-1))
    out[words[firsts]] = np.bitwise_or.reduceat(codes << shifts, firsts)
    # At most one pattern of a word reaches into the next one, and it comes last.
    over = np.flatnonzero((ends - 1) >> 6 != words)
    out[words[over] + 1] |= codes[over] >> (np.uint64(64) - shifts[over])
    out[0] |= np.uint64(carry)
    data = out.astype("<u8").tobytes()
    whole, rest = divmod(total, 8)
    return data[:whole], data[whole] & ((1 << rest) - 1), rest


def code_widths(counts: list[int], limit: int) -> list[int]:
    """Return Huffman code lengths, none longer than `limit`; 0 for symbols that never occur.

    Too long codes are shortened the simple way: the counts are flattened and tried again.
    A lone symbol gets a code of one bit and a companion, so that the code is complete.
    """
    used = [symbol for symbol, count in enumerate(counts) if count]
    if len(used) < 2:
        used = sorted({*used, *((0, 1) if not used else (0 if used[0] else 1,))})
        return [int(symbol in used) for symbol in range(len(counts))]
    weights = [counts[symbol] for symbol in used]
    while True:
        depths = _depths(weights)
        if max(depths) <= limit:
            break
        weights = [(weight >> 1) | 1 for weight in weights]
    widths = [0] * len(counts)
    for symbol, depth in zip(used, depths, strict=True):
        widths[symbol] = depth
    return widths


def _depths(weights: list[int]) -> list[int]:
    """Return the depth of each leaf in a Huffman tree; ties go to the older node."""
    heap = [(weight, number) for number, weight in enumerate(weights)]
    heapq.heapify(heap)
    parents = [0] * (2 * len(weights) - 1)
    for number in range(len(weights), len(parents)):
        first, second = heapq.heappop(heap), heapq.heappop(heap)
        parents[first[1]] = parents[second[1]] = number
        heapq.heappush(heap, (first[0] + second[0], number))
    depths = [0] * len(parents)
    for number in range(len(parents) - 2, -1, -1):
        depths[number] = depths[parents[number]] + 1
    return depths[: len(weights)]


def _patterns(widths: list[int]) -> list[int]:
    """Return the canonical codes (RFC 1951, 3.2.2), turned round to be sent lowest bit first."""
    following = [0] * 17
    for width in widths:
        following[width + 1] += width > 0
    for width in range(1, 17):
        following[width] = (following[width] + following[width - 1]) << 1
    patterns = []
    for width in widths:
        code = following[width] if width else 0
        following[width] += 1
        patterns.append(int(f"{code:0{width}b}"[::-1], 2) if width else 0)
    return patterns


def _header(widths: list[int], distance_widths: list[int]) -> list[tuple[int, int]]:
    """Return the (pattern, bits) pairs of a dynamic block's header, not the final block."""
    used = max(257, max(symbol for symbol, width in enumerate(widths) if width) + 1)
    runs = _run_lengths(widths[:used] + distance_widths)
    counts = [0] * 19
    for symbol, _, _ in runs:
        counts[symbol] += 1
    meta = code_widths(counts, 7)
    meta_patterns = _patterns(meta)
    sent = max(i for i, symbol in enumerate(_LENGTH_CODE_ORDER) if meta[symbol] or i < 4) + 1
    pairs = [(0b100, 3), (used - 257, 5), (len(distance_widths) - 1, 5), (sent - 4, 4)]
    pairs += [(meta[symbol], 3) for symbol in _LENGTH_CODE_ORDER[:sent]]
    for symbol, extra, bits in runs:
        pairs.append((meta_patterns[symbol] | extra << meta[symbol], meta[symbol] + bits))
    return pairs


def _run_lengths(widths: list[int]) -> list[tuple[int, int, int]]:
    """Return code lengths as (symbol, extra value, extra bits): 16 repeats, 17 and 18 are zeros."""
    out: list[tuple[int, int, int]] = []
    index = 0
    while index < len(widths):
        width = widths[index]
        run = 1
        while index + run < len(widths) and widths[index + run] == width:
            run += 1
        index += run
        if width:
            out.append((width, 0, 0))
            run -= 1
        while run >= 3:
            if width:
                part = min(run, 6)
                out.append((16, part - 3, 2))
            else:
                part = min(run, 138)
                out.append((17, part - 3, 3) if part < 11 else (18, part - 11, 7))
            run -= part
        out.extend([(width, 0, 0)] * run)
    return out


def _distance_symbol(distance: int) -> tuple[int, int, int]:
    """Return the symbol, extra value and extra bits of a match distance (RFC 1951, 3.2.5)."""
    if not 1 <= distance <= 32768:
        raise ValueError(f"a match cannot look {distance} bytes back (1 to 32768)")
    if distance <= 4:
        return distance - 1, 0, 0
    bits = (distance - 1).bit_length() - 2
    high = (distance - 1) >> bits
    return 2 * bits + high, (distance - 1) & ((1 << bits) - 1), bits


def _length_tables() -> tuple[NDArray[np.uint16], NDArray[np.uint64], NDArray[np.uint64]]:
    """Return symbol, extra value and extra bits for every match length 0..258 (0..2 unused)."""
    symbols = np.full(LONGEST_MATCH + 1, 257, np.uint16)
    extras = np.zeros(LONGEST_MATCH + 1, np.uint64)
    bits = np.zeros(LONGEST_MATCH + 1, np.uint64)
    length, symbol = 3, 257
    for width in (0, 0, 1, 2, 3, 4, 5):
        for _ in range(4):
            for extra in range(1 << width):
                if length < LONGEST_MATCH:
                    symbols[length], extras[length], bits[length] = symbol, extra, width
                    length += 1
            symbol += 1
    symbols[LONGEST_MATCH] = 285
    return symbols, extras, bits


_LENGTH_SYMBOL, _LENGTH_EXTRA, _LENGTH_EXTRA_BITS = _length_tables()
