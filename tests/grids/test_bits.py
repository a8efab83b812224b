"""Bit rows: cells packed 64 to a word."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from exporter.grids.bits import pack_rows, shift_columns, unpack_rows, words_for

masks = arrays(bool, array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=140))
few = settings(deadline=None, max_examples=40)


@few
@given(masks)
def test_what_is_packed_comes_back(mask: Any) -> None:
    words = pack_rows(mask)
    assert words.dtype == np.uint64
    assert words.shape == (mask.shape[0], words_for(mask.shape[1]))
    assert np.array_equal(unpack_rows(words, mask.shape[1]), mask)


def test_bit_b_of_word_k_is_column_64_k_plus_b() -> None:
    for column in (0, 1, 63, 64, 100):
        mask = np.zeros((1, 101), bool)
        mask[0, column] = True
        words = [int(word) for word in pack_rows(mask)[0]]
        assert words == [1 << column if column < 64 else 0, 1 << column - 64 if column > 63 else 0]


@few
@given(masks, st.integers(-300, 300))
def test_shifted_rows_show_what_is_beside(mask: Any, columns: int) -> None:
    height, width = mask.shape
    full = words_for(width) * 64
    padded = np.zeros((height, full), bool)
    padded[:, :width] = mask
    expected = np.zeros_like(padded)
    for x in range(full):
        if 0 <= x + columns < full:
            expected[:, x] = padded[:, x + columns]
    assert np.array_equal(unpack_rows(shift_columns(pack_rows(mask), columns), full), expected)
