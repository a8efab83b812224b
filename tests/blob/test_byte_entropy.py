"""Byte entropy: counts, bits, and their report for a file."""

from __future__ import annotations

import zlib
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.blob.inspection.byte_entropy import Symbol, entropy


def test_equal_shares_have_the_logarithm_of_their_number() -> None:
    assert entropy(b"").bits_per_byte == 0.0
    assert entropy(b"aaaa").bits_per_byte == 0.0
    assert entropy(b"abab").bits_per_byte == 1.0
    assert entropy(bytes(range(256))).bits_per_byte == 8.0


def test_shares_weigh_by_their_logarithm() -> None:
    expected = -(0.75 * log2(0.75) + 0.25 * log2(0.25))
    assert entropy(b"aaab").bits_per_byte == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.binary(max_size=40), max_size=8))
def test_chunks_count_like_the_whole(chunks: list[bytes]) -> None:
    whole = b"".join(chunks)
    fed = entropy(b"")
    for chunk in chunks:
        assert fed.update(chunk) is fed
    assert fed.size == len(whole)
    assert fed.distinct == len(set(whole))
    assert fed.bits_per_byte == entropy(whole).bits_per_byte
    assert fed.counts.tolist() == [whole.count(byte) for byte in range(256)]


def test_the_most_frequent_come_first_and_equals_by_byte() -> None:
    assert entropy(b"hello").most_frequent == [(108, 2), (101, 1), (104, 1), (111, 1)]
    assert entropy(b"hello").probabilities[108] == 0.4


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_bytes_like_object_can_be_fed(kind: type) -> None:
    assert entropy(kind(b"abc")).distinct == 3


def test_verdicts() -> None:
    random = np.random.default_rng(0)
    text = ("The quick brown fox jumps over the lazy dog. " * 30).encode()
    assert entropy(b"").verdict == "empty"
    assert entropy(b"\0" * 500 + b"\1").verdict == "repetitive"
    assert entropy(text).verdict == "text-like"
    assert entropy("Größe, Fläche, Höhe — Ähnliches. ".encode() * 9).verdict == "text-like"
    assert entropy(random.integers(0, 40, 3000).astype("<u2").tobytes()).verdict == "structured"
    for size in (100, 1000, 50_000):
        assert entropy(random.bytes(size)).verdict == "compressed or random"
    squeezed = zlib.compress(random.integers(0, 9, 40_000).astype(np.uint8).tobytes(), 9)
    assert entropy(squeezed).verdict == "compressed or random"


def test_text_counts_as_its_bytes_in_utf_8() -> None:
    text = "Größe"
    assert entropy(text).counts.tolist() == entropy(text.encode()).counts.tolist()
    assert entropy("a").update("ä").size == 3
    assert entropy("").size == 0
    with pytest.raises(UnicodeEncodeError):
        entropy("\ud800")


def test_symbols_come_with_their_share_the_most_frequent_first() -> None:
    assert entropy(b"hello").symbols == [
        Symbol(108, 2, 0.4),
        Symbol(101, 1, 0.2),
        Symbol(104, 1, 0.2),
        Symbol(111, 1, 0.2),
    ]
    assert entropy(b"").symbols == []
    shares = [symbol.probability for symbol in entropy(bytes(range(256)) * 3).symbols]
    assert shares == [1 / 256] * 256
