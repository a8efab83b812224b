"""Level Exporter: small YAML level specs in, the files game engines import out.

>>> import exporter
>>> level = exporter.build_level(exporter.load_level("levels/crypt.level.yaml"))  # doctest: +SKIP
>>> level.layers["ground"].walkable.shape  # doctest: +SKIP
(100, 100)

Names are imported when they are first used, so that `import exporter` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from exporter._version import __version__
from exporter.model.errors import BlobError, ExporterError, SpecError

if TYPE_CHECKING:
    from exporter import extend
    from exporter.blob import read_blob, read_pack, read_part, write_blob, write_pack
    from exporter.codecs import decode, encode
    from exporter.grids.lines import line, line_until
    from exporter.grids.views import game_view
    from exporter.inspection.byte_entropy import ByteEntropy, entropy
    from exporter.model.level import Layer, Level
    from exporter.pipeline.build import build_level
    from exporter.reading.level_spec import LevelSpec
    from exporter.reading.reader import load_level
    from exporter.visibility import compute_visibility
    from exporter.visibility.table import VisibilityTable

_HOMES = {
    "ByteEntropy": "exporter.inspection.byte_entropy",
    "Layer": "exporter.model.level",
    "Level": "exporter.model.level",
    "LevelSpec": "exporter.reading.level_spec",
    "VisibilityTable": "exporter.visibility.table",
    "build_level": "exporter.pipeline.build",
    "compute_visibility": "exporter.visibility",
    "decode": "exporter.codecs",
    "encode": "exporter.codecs",
    "entropy": "exporter.inspection.byte_entropy",
    "game_view": "exporter.grids.views",
    "line": "exporter.grids.lines",
    "line_until": "exporter.grids.lines",
    "load_level": "exporter.reading.reader",
    "read_blob": "exporter.blob",
    "read_pack": "exporter.blob",
    "read_part": "exporter.blob",
    "write_blob": "exporter.blob",
    "write_pack": "exporter.blob",
}

__all__ = [
    "BlobError",
    "ByteEntropy",
    "ExporterError",
    "Layer",
    "Level",
    "LevelSpec",
    "SpecError",
    "VisibilityTable",
    "__version__",
    "build_level",
    "compute_visibility",
    "decode",
    "encode",
    "entropy",
    "extend",
    "game_view",
    "line",
    "line_until",
    "load_level",
    "read_blob",
    "read_pack",
    "read_part",
    "write_blob",
    "write_pack",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first asked for."""
    if name == "extend":
        return importlib.import_module("exporter.extend")
    if name not in _HOMES:
        raise AttributeError(f"module 'exporter' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
