"""Write puzzles as JSON: the name, the kind, and the data of that kind."""

from __future__ import annotations

import json

from exporter.formats import FormatOptions, format
from exporter.model.level import Level, Puzzle


@format("puzzle_json", kind="puzzle", suffix="puzzle.json", each="puzzle")
def write(level: Level, puzzle: Puzzle, options: FormatOptions) -> bytes:
    """Return `puzzle` as JSON."""
    document = {"name": puzzle.name, "kind": puzzle.kind, **puzzle.data}
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()
