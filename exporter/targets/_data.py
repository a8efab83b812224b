"""Tables and puzzles: the data files every engine gets in the same form."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from exporter.formats import Artifact
from exporter.formats.table_csv import table_csv
from exporter.formats.table_json import table_json
from exporter.formats.table_xml import table_schema, table_xml
from exporter.model.level import Level, Puzzle, Table
from exporter.targets import Workshop

TableFormat = Literal["json", "csv", "xml"]

_WRITERS: dict[TableFormat, dict[str, Callable[[Table], bytes]]] = {
    "json": {"json": table_json},
    "csv": {"csv": table_csv},
    # The schema first: who reads the data looks for it.
    "xml": {"xsd": table_schema, "xml": table_xml},
}


def data_files(level: Level, formats: Sequence[TableFormat], workshop: Workshop) -> list[Artifact]:
    """Return every table in the formats asked for, and every puzzle as JSON."""
    out: list[Artifact] = []
    for name, table in level.tables.items():
        for chosen in dict.fromkeys(formats):
            for suffix, write in _WRITERS[chosen].items():
                data = workshop.once(("table", name, suffix), partial(write, table))
                out.append(Artifact(f"{level.name}.{name}.{suffix}", "table", data))
    for name, puzzle in level.puzzles.items():
        out.append(Artifact(f"{level.name}.{name}.puzzle.json", "puzzle", _puzzle_json(puzzle)))
    return out


def _puzzle_json(puzzle: Puzzle) -> bytes:
    document = {"name": puzzle.name, "kind": puzzle.kind, **puzzle.data}
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()
