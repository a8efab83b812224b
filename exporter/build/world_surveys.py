"""Define surveys, which collect facts about a world chunk by chunk.

A survey reads every chunk once and returns bytes for each; the bytes of all chunks are combined
into a finding. To survey a layer, the findings about the layers on which it depends are needed, so
surveys run in rounds. The kinds of surveys:

extremes   the lowest and highest value of a layer, for layers that stretch heights
given      which tiles the given cells of a layer have, anywhere
joins      which cells are opened to join the regions of a layer
cells      facts about the walkable cells of a layer, or of all `play` layers together
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from exporter.build.world_joining import joined_around, narrowed_joining
from exporter.generators import Extremes
from exporter.model.lazy_dataclass import dataclass
from exporter.model.windows import Window

SurveyKind = Literal["extremes", "given", "joins", "cells"]
# The findings of surveys, by name.
Surveyed = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class WorldSurvey:
    """Names a fact to collect from all chunks of a world: kind and layer.

    Attributes:
        kind: `extremes` for the lowest and highest value of a layer, `given` for the tiles of its
            given cells, `joins` for the cells that join its regions, `cells` for facts about
            walkable cells.
        layer: The surveyed layer; empty for all `play` layers together.
    """

    kind: SurveyKind
    layer: str

    @property
    def name(self) -> str:
        """The survey's name: its kind and layer."""
        return f"{self.kind} {self.layer}"


def encode_extremes(extremes: Extremes) -> bytes:
    """Encode the lowest and highest value of a layer, an `extremes` survey."""
    return json.dumps([extremes.least, extremes.greatest]).encode()


def decode_extremes(data: bytes) -> Extremes:
    """Decode the lowest and highest value of a layer, an `extremes` survey."""
    least, greatest = json.loads(data)
    return Extremes(least, greatest)


def encode_ids(ids: Sequence[int]) -> bytes:
    """Encode a set of tile ids, the result of a `given` survey."""
    return json.dumps(sorted(set(ids))).encode()


def decode_ids(data: bytes) -> frozenset[int]:
    """Decode a set of tile ids, the result of a `given` survey."""
    return frozenset(json.loads(data))


def joined_surveys(item: Surveyed, other: Surveyed) -> dict[str, bytes]:
    """Combine survey results of some chunks with those of other chunks.

    Both, and the result, have the bytes of each survey by its name.
    """
    joined = dict(item)
    for name, data in other.items():
        kind = name.partition(" ")[0]
        joined[name] = _JOIN[kind](joined[name], data) if name in joined else data
    return joined


def narrowed_surveys(known: Surveyed, window: Window, reach: int, chunk: int) -> dict[str, bytes]:
    """Reduce the findings `known` to what affects the cells in `window`.

    `reach` is the width of the margin on which the window's cells depend, `chunk` the side of a
    chunk; both are in cells.
    """
    joinings = {name for name in known if name.partition(" ")[0] == "joins"}
    around = joined_around((known[name] for name in joinings), window, reach, chunk)
    return {
        name: narrowed_joining(data, window, around, chunk) if name in joinings else data
        for name, data in known.items()
    }


def encode_surveyed(known: Surveyed) -> bytes:
    """Encode the findings of surveys, by survey name, as bytes.

    Equal findings have equal bytes.
    """
    rows = [[name, b64encode(data).decode()] for name, data in sorted(known.items())]
    return json.dumps(rows, separators=(",", ":")).encode()


def decode_surveyed(data: bytes) -> dict[str, bytes]:
    """Decode the findings of surveys, by survey name, from bytes.

    Raises:
        ValueError: The bytes are malformed.
    """
    try:
        return {str(name): b64decode(result, validate=True) for name, result in json.loads(data)}
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError("malformed survey result") from error


def check_surveyed(result: Surveyed, names: Sequence[str]) -> None:
    """Raise an error unless `result` has the findings of the surveys `names`.

    Raises:
        ValueError: Findings are missing, belong to other surveys, or are malformed.
    """
    if set(result) != set(names):
        raise ValueError("the results belong to other surveys")
    for name, data in result.items():
        decode = {"extremes": decode_extremes, "given": decode_ids}.get(name.partition(" ")[0])
        try:
            if decode is not None:
                decode(data)
        except (TypeError, ValueError, RecursionError) as error:
            raise ValueError("malformed survey result") from error


def _joined_extremes(item: bytes, other: bytes) -> bytes:
    return encode_extremes(decode_extremes(item).joined(decode_extremes(other)))


def _joined_ids(item: bytes, other: bytes) -> bytes:
    return encode_ids([*decode_ids(item), *decode_ids(other)])


_JOIN: Mapping[str, Callable[[bytes, bytes], bytes]] = {
    "extremes": _joined_extremes,
    "given": _joined_ids,
    # Records of chunks, one after another.
    "joins": bytes.__add__,
    "cells": bytes.__add__,
}
