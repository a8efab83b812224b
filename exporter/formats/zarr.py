"""A folder of arrays, one for each layer, as Zarr v3: for xarray, Dask, napari and the like.

A part of a world is a chunk of every array, `<world>.world/<world>.zarr/<layer>/c/<row>/<column>`,
so that parts are written apart. What describes the arrays is written by the library `zarr` (extra
`worlds`); chunks are what the described codecs say, compressed by `exporter.deflate`: bytes of the
library's own compressors depend on its version and on the time.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from exporter.deflate import gzip
from exporter.formats import Artifact, FormatOptions, format
from exporter.formats.heights.samples import FULL_SCALE, height_range
from exporter.formats.worlds.libraries import extra_library
from exporter.model.level import Layer, Level

SUFFIX = "zarr"


def chunk_file(level: Level, layer: Layer) -> str:
    """Return the name of a layer's chunk; that of a part lies in the folder of the parts."""
    column, row = (0, 0) if level.part is None else (level.part.column, level.part.row)
    return f"{_store(level)}/{layer.name}/c/{row}/{column}"


def whole(level: Level, options: FormatOptions) -> list[Artifact]:
    """Return what describes the group and its arrays.

    Raises:
        ParameterError: The library is not installed.
    """
    library = extra_library("zarr", "zarr")
    storage = extra_library("zarr.storage", "zarr")
    codecs = extra_library("zarr.codecs", "zarr")
    written: dict[str, Any] = {}
    attributes = {"seed": level.seed, "rng": level.rng, **level.properties}
    group = library.create_group(
        store=storage.MemoryStore(written), zarr_format=3, attributes=attributes
    )
    for layer in level.layers.values():
        group.create_array(
            layer.name,
            shape=_shape(level, layer),
            chunks=_chunk_shape(level, layer),
            dtype=layer.cells.dtype.newbyteorder("<"),
            compressors=codecs.GzipCodec() if _is_compressed(layer) else None,
            fill_value=0,
            dimension_names=("y", "x"),
            attributes=_attributes(layer),
        )
    folder = "" if level.part is None else f"{level.part.folder}/"
    return [
        Artifact(f"{folder}{_store(level)}/{name}", "metadata", _text(content.to_bytes()))
        for name, content in sorted(written.items())
    ]


@format(SUFFIX, kind="heightmap", suffix=SUFFIX, each="layer", whole=whole, place=chunk_file)
def write(level: Level, layer: Layer, options: FormatOptions) -> bytes:
    """Return the chunk of a layer; where the world ends before it does, it is filled with zeros."""
    cells = layer.cells.astype(layer.cells.dtype.newbyteorder("<"))
    height, width = _chunk_shape(level, layer)
    missing = ((0, height - cells.shape[0]), (0, width - cells.shape[1]))
    data = np.pad(cells, missing).tobytes()
    return gzip(data, quick=True) if _is_compressed(layer) else data


def _store(level: Level) -> str:
    return f"{level.name if level.part is None else level.part.world}.{SUFFIX}"


def _shape(level: Level, layer: Layer) -> tuple[int, int]:
    """Return the height and width of the array."""
    if level.part is None:
        return layer.height, layer.width
    return level.part.size[1], level.part.size[0]


def _chunk_shape(level: Level, layer: Layer) -> tuple[int, int]:
    if level.part is None:
        return layer.height, layer.width
    return level.part.chunk, level.part.chunk


def _is_compressed(layer: Layer) -> bool:
    """Whether compressing is worth its time: of heights of a relief it saves a fiftieth."""
    return layer.kind == "tiles" or layer.measures


def _attributes(layer: Layer) -> dict[str, Any]:
    """Return what an array's numbers mean, with the names of the CF conventions where it has any.

    So xarray reads heights in their units by itself.
    """
    told: dict[str, Any] = {
        "role": layer.role,
        "generator": layer.generator,
        "generator_version": layer.version,
    }
    if layer.kind == "heights":
        heights = height_range(layer)
        told["units"] = heights.units
        told["scale_factor"] = (heights.maximum - heights.minimum) / FULL_SCALE
        told["add_offset"] = float(heights.minimum)
        return told
    told["flag_values"] = [tile.id for tile in layer.tiles]
    told["flag_meanings"] = " ".join(tile.name.replace(" ", "_") for tile in layer.tiles)
    told["tiles"] = [
        {
            "id": tile.id,
            "name": tile.name,
            "walkable": tile.walkable,
            "opaque": tile.opaque,
            "color": tile.color,
        }
        for tile in layer.tiles
    ]
    return told


def _text(content: bytes) -> bytes:
    """Return JSON of the library's in an order of keys that no version of it changes."""
    document = json.loads(content)
    text = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)
    return (text + "\n").encode()
