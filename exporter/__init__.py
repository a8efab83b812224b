"""Level Exporter: small YAML level specs in, files for game engines out.

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

if TYPE_CHECKING:
    from exporter import extend
    from exporter.blob import read_blob, read_pack, read_part, write_blob, write_pack
    from exporter.blob.inspection.byte_entropy import ByteEntropy, entropy
    from exporter.blob.worlds import StoredWorld, read_world
    from exporter.build.build import build_level
    from exporter.build.traces import StepFrame, Steps, trace_layer
    from exporter.codecs import Limits, decode, encode
    from exporter.explore.find_seeds import find_seeds
    from exporter.explore.search import LevelMatch, SearchedLevels
    from exporter.export.edit_files import take_edits, write_edits
    from exporter.export.tables import read_table, write_table
    from exporter.grids.lines import line, line_until
    from exporter.grids.regions import Regions, find_regions
    from exporter.grids.views import game_view
    from exporter.measures.measuring import measure
    from exporter.model.errors import BlobError, ExporterError, SpecError
    from exporter.model.level import Column, Layer, Level, Table
    from exporter.model.tables.records import table_from_records
    from exporter.packs import Pack, open_pack
    from exporter.puzzles.sudoku_functions import (
        check_sudoku,
        make_sudoku,
        read_sudokus,
        solve_sudoku,
    )
    from exporter.reading.edits import CellEdit, LevelEdits, ObjectEdit
    from exporter.reading.level_spec import LevelSpec
    from exporter.reading.reader import load_level
    from exporter.visibility import compute_visibility
    from exporter.visibility.table import VisibilityTable

_HOMES = {
    "BlobError": "exporter.model.errors",
    "ByteEntropy": "exporter.blob.inspection.byte_entropy",
    "CellEdit": "exporter.reading.edits",
    "Column": "exporter.model.level",
    "ExporterError": "exporter.model.errors",
    "LevelMatch": "exporter.explore.search",
    "SearchedLevels": "exporter.explore.search",
    "Layer": "exporter.model.level",
    "Level": "exporter.model.level",
    "LevelEdits": "exporter.reading.edits",
    "LevelSpec": "exporter.reading.level_spec",
    "Limits": "exporter.codecs",
    "ObjectEdit": "exporter.reading.edits",
    "Pack": "exporter.packs",
    "Regions": "exporter.grids.regions",
    "SpecError": "exporter.model.errors",
    "StepFrame": "exporter.build.traces",
    "Steps": "exporter.build.traces",
    "StoredWorld": "exporter.blob.worlds",
    "Table": "exporter.model.level",
    "VisibilityTable": "exporter.visibility.table",
    "build_level": "exporter.build.build",
    "check_sudoku": "exporter.puzzles.sudoku_functions",
    "compute_visibility": "exporter.visibility",
    "decode": "exporter.codecs",
    "encode": "exporter.codecs",
    "entropy": "exporter.blob.inspection.byte_entropy",
    "find_regions": "exporter.grids.regions",
    "find_seeds": "exporter.explore.find_seeds",
    "game_view": "exporter.grids.views",
    "line": "exporter.grids.lines",
    "line_until": "exporter.grids.lines",
    "load_level": "exporter.reading.reader",
    "make_sudoku": "exporter.puzzles.sudoku_functions",
    "measure": "exporter.measures.measuring",
    "open_pack": "exporter.packs",
    "read_blob": "exporter.blob",
    "read_pack": "exporter.blob",
    "read_part": "exporter.blob",
    "read_sudokus": "exporter.puzzles.sudoku_functions",
    "read_table": "exporter.export.tables",
    "read_world": "exporter.blob.worlds",
    "solve_sudoku": "exporter.puzzles.sudoku_functions",
    "table_from_records": "exporter.model.tables.records",
    "take_edits": "exporter.export.edit_files",
    "trace_layer": "exporter.build.traces",
    "write_blob": "exporter.blob",
    "write_edits": "exporter.export.edit_files",
    "write_pack": "exporter.blob",
    "write_table": "exporter.export.tables",
}

__all__ = [
    "BlobError",
    "ByteEntropy",
    "CellEdit",
    "Column",
    "ExporterError",
    "Layer",
    "Level",
    "LevelEdits",
    "LevelMatch",
    "LevelSpec",
    "Limits",
    "ObjectEdit",
    "Pack",
    "Regions",
    "SearchedLevels",
    "SpecError",
    "StepFrame",
    "Steps",
    "StoredWorld",
    "Table",
    "VisibilityTable",
    "__version__",
    "build_level",
    "check_sudoku",
    "compute_visibility",
    "decode",
    "encode",
    "entropy",
    "extend",
    "find_regions",
    "find_seeds",
    "game_view",
    "line",
    "line_until",
    "load_level",
    "make_sudoku",
    "measure",
    "open_pack",
    "read_blob",
    "read_pack",
    "read_part",
    "read_sudokus",
    "read_table",
    "read_world",
    "solve_sudoku",
    "table_from_records",
    "take_edits",
    "trace_layer",
    "write_blob",
    "write_edits",
    "write_pack",
    "write_table",
]


def __getattr__(name: str) -> Any:
    """Import and return the public name `name` when it is first used."""
    if name == "extend":
        return importlib.import_module("exporter.extend")
    if name not in _HOMES:
        raise AttributeError(f"module 'exporter' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
