"""Compute Shannon's lower bound for symbol-by-symbol codes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def order_zero_bits(counts: NDArray[Any]) -> float:
    """Return the fewest bits for symbols that are coded independently.

    `counts` says how often each symbol occurs. The result is Shannon's lower bound.
    """
    present = counts[counts > 0].astype(np.float64)
    if present.size <= 1:
        return 0.0
    return float((present * (np.log2(present.sum()) - np.log2(present))).sum())
