"""Values as the readers under test tell them: numbers as text, so that nothing is rounded."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

LARGEST = 1 << 63


def exact(value: Any) -> Any:
    """Return a tree of values with every number as text of its type and all its digits."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and -LARGEST <= value < LARGEST:
        return f"int {value}"
    if isinstance(value, int | float):
        # GDScript's integers end at 64 bits; its reader gives larger ones as floats.
        return f"float {struct.pack('<d', value).hex()}"
    if isinstance(value, Mapping):
        return {key: exact(item) for key, item in value.items()}
    return [exact(item) for item in value]


def digest(array: np.ndarray) -> str:
    """Return the SHA-256 of an array's bytes."""
    return hashlib.sha256(array.tobytes()).hexdigest()
