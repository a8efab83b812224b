"""Compute cache keys: hashes of everything that a result depends on."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from typing import Any


def stage_key(*parts: str) -> str:
    """Return the SHA-256 of `parts` together, as hexadecimal digits.

    The hash covers the length of each part, so that `("ab", "c")` and `("a", "bc")` differ.
    """
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


def content_key(data: bytes) -> str:
    """Return the SHA-256 of `data` as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def value_key(value: Any) -> str:
    """Return the hash of `value`: plain data, or a dataclass of plain data.

    Values that compare equal but differ in type (`1`, `1.0`, `True`) have different hashes, and so
    have mappings whose keys differ in order.

    Raises:
        TypeError: The value contains an object that is not plain data.
    """
    return stage_key(*_texts(value))


def normalised_seed(seed: int | str) -> int | str:
    """Return `seed` for hashing; a text is put into Unicode normal form C.

    Keyboards and file systems write the ö of `Höhle` as one character or as two, but users mean the
    same seed. By Unicode's stability policy, the form is the same in every version of Python.
    """
    return unicodedata.normalize("NFC", seed) if isinstance(seed, str) else seed


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Enum):  # before numbers and texts: it may be one, too
        yield f"{type(value).__qualname__} {value.name}"
    elif value is None or isinstance(value, bool | int | float | str):
        yield f"{type(value).__name__} {value!r}"
    elif isinstance(value, bytes):
        yield f"bytes {hashlib.sha256(value).hexdigest()}"
    elif is_dataclass(value) and not isinstance(value, type):
        own = [field for field in fields(value) if field.compare]
        yield f"{type(value).__qualname__} {len(own)}"
        for field in own:
            yield field.name
            yield from _texts(getattr(value, field.name))
    elif isinstance(value, Mapping):
        yield f"mapping {len(value)}"
        for key, item in value.items():
            yield from _texts(key)
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        yield f"{'list' if isinstance(value, list) else 'tuple'} {len(value)}"
        for item in value:
            yield from _texts(item)
    elif isinstance(value, PurePath):
        yield f"path {value.as_posix()}"
    else:
        raise TypeError(f"a value of type {type(value).__name__} cannot be part of a cache key")
