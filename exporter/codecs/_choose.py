"""Encode an array with each codec of a profile; keep the smallest."""

from __future__ import annotations

from typing import Any

import numpy as np

from exporter.codecs._symbols import distinct_count
from exporter.codecs.codec import (
    CODECS,
    NO_SIDE,
    Array,
    Codec,
    Limits,
    Profile,
    Side,
    codec_by_number,
)
from exporter.model.errors import BlobError, ExtensionError
from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class EncodedArray:
    """The payload of an encoded array, and the codec that wrote it."""

    codec: Codec
    payload: bytes


def choose(
    array: Array,
    name: str | None = None,
    profile: Profile = "small",
    side: Side = NO_SIDE,
    verify: bool = True,
) -> EncodedArray:
    """Encode `array` with the codec that gives the fewest bytes.

    Args:
        array: The array, C-ordered and little-endian.
        name: The only codec to use; None tries all of the profile.
        profile: `small` for the fewest bytes, `fast` for codecs that scripts decode quickly.
        side: Further inputs, which the decoder has too: another array, or an earlier payload.
        verify: Whether to decode the result and compare; a difference is a bug in the codec.

    Raises:
        BlobError: The named codec shares its number with another.
        RegistryError: The codec is unknown.
        ValueError: The named codec cannot encode this array.
    """
    best = _only(array, name, side) if name is not None else _smallest(array, profile, side)
    if verify:
        again = decode_payload(best.codec.number, best.payload, array.shape, array.dtype, side)
        if not np.array_equal(again, array):
            wrong = f"codec {best.codec.name!r} does not give back what it was given"
            owner = CODECS.origin(best.codec.name)
            raise ExtensionError(f"{wrong} (it is of {owner})") if owner else AssertionError(wrong)
    return best


def _only(array: Array, name: str, side: Side) -> EncodedArray:
    codec = codec_by_number(CODECS.get(name).number)
    payload = codec.encode(array, side)
    if payload is None:
        raise ValueError(
            f"codec {name!r} cannot encode an array of {array.dtype} and shape {array.shape}"
        )
    return EncodedArray(codec, payload)


def _smallest(array: Array, profile: Profile, side: Side) -> EncodedArray:
    distinct = distinct_count(array)
    worth_trying = []
    for name in CODECS.built_in():
        codec = CODECS.get(name)
        least = codec.least(array, distinct, side) if profile in codec.profiles else None
        if least is not None:
            worth_trying.append((profile in codec.last_resort, least, codec.number, codec))
    best: EncodedArray | None = None
    # The likely smallest come first; most of the others then need not run.
    for last_resort, least, _, codec in sorted(worth_trying, key=lambda entry: entry[:3]):
        if best is not None:
            good = last_resort and len(best.payload) < 3 * array.nbytes // 4
            if good or least >= len(best.payload):
                continue
        payload = codec.encode(array, side)
        if payload is not None and (best is None or len(payload) < len(best.payload)):
            best = EncodedArray(codec, payload)
    assert best is not None  # `stored` takes everything
    return best


def decode_payload(
    number: int,
    payload: bytes,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    side: Side = NO_SIDE,
    limits: Limits | None = None,
) -> Array:
    """Decode `payload`, made by the codec `number`, to an array.

    `side` are the inputs beside the array that the encoder had; `limits` are the limits of
    decoding, None for the default.

    Raises:
        BlobError: The payload is damaged, or the codec unknown.
    """
    (limits or Limits()).check(shape, dtype)
    codec = codec_by_number(number)
    # An array without cells may have many rows, over which a decoder would loop for nothing.
    if 0 in shape and codec.encode(np.empty(0, dtype), NO_SIDE) is None:
        raise BlobError(
            f"broken {codec.name} data: it cannot be decoded to an array of shape {shape}"
        )
    try:
        array = codec.decode(payload, shape, dtype, side)
    except BlobError:
        raise
    except Exception as error:  # a bad payload may fail in any form, which is one kind of error
        raise BlobError(f"broken {codec.name} data: {error}") from error
    # The result of a third-party decoder may be no array at all.
    if getattr(array, "shape", None) != shape or array.dtype != dtype:
        raise BlobError(f"broken {codec.name} data: the decoded shape is not the declared shape")
    return array
