"""Write the constants of the blob format into the readers of other languages.

Their values are those of the exporter; each reader keeps a constant where it uses it. Run this
after a change of one:

    .venv/bin/python tests/harness/update_reader_constants.py
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from exporter.blob import (
    _budget,
    _descriptions,
    _grids,
    _visibility,
    container,
    levels,
    values,
    worlds,
)
from exporter.codecs import Limits
from exporter.codecs.bitmap import BITMAP
from exporter.codecs.codec import ELEMENTS
from exporter.codecs.heights import HEIGHTS, LARGEST_FACTOR
from exporter.codecs.pack import PACK
from exporter.codecs.stored import STORED
from exporter.codecs.tiles import FOREVER, ONCE, TILES
from exporter.codecs.visibility import VISIBILITY
from exporter.codecs.zlib import ZLIB
from exporter.model.level_values import EMPTY_NAMES
from exporter.model.limits import MAXIMUM_WORLD_SIDE

TEMPLATES = Path(__file__).parents[2] / "templates"
JAVASCRIPT = TEMPLATES / "javascript" / "level-blob.js"
GODOT = TEMPLATES / "godot" / "addons" / "level_exporter" / "runtime"
WORLD = TEMPLATES / "godot" / "scenes" / "world.gd"
UNITY = TEMPLATES / "unity" / "com.levelexporter.unity" / "Runtime" / "Core"
CELLS = _budget.STEPS_OF_A_CELL
NUMBERS = [name for name in _descriptions.CERTIFICATE if name != "start"]
DEFAULT, STRANGERS = Limits(), Limits.for_strangers()

# Each value, and the constants that have it: the file and the name.
TABLE: list[tuple[Any, list[tuple[Path, str]]]] = [
    (list(container.SIGNATURE), [
        (GODOT / "blob_container.gd", "SIGNATURE"), (JAVASCRIPT, "SIGNATURE"),
        (UNITY / "Blob/BlobContainer.cs", "Signature"),
    ]),
    (container.MAJOR, [
        (GODOT / "blob_container.gd", "MAJOR"), (UNITY / "Blob/BlobContainer.cs", "Major"),
    ]),
    (container.HEADER.size, [
        (GODOT / "blob_container.gd", "HEADER_SIZE"), (JAVASCRIPT, "HEADER"),
        (UNITY / "Blob/BlobContainer.cs", "HeaderSize"),
    ]),
    (container.ENTRY.size, [
        (GODOT / "blob_container.gd", "ENTRY_SIZE"), (JAVASCRIPT, "ENTRY"),
        (UNITY / "Blob/BlobContainer.cs", "EntrySize"),
    ]),
    (container.NONE, [
        (GODOT / "blob_container.gd", "NONE"), (JAVASCRIPT, "NONE"),
        (UNITY / "Blob/BlobChunk.cs", "None"),
    ]),
    (levels.KNOWN, [
        (GODOT / "level_blob.gd", "_KNOWN"), (UNITY / "LevelBlob.cs", "KnownTypes"),
    ]),
    (_grids.PART, [
        (GODOT / "level_blob.gd", "PART"), (JAVASCRIPT, "PART"),
        (UNITY / "Blob/GridParts.cs", "Side"),
    ]),
    ([element.itemsize for element in ELEMENTS], [
        (GODOT / "level_blob.gd", "_ELEMENT_SIZES"), (GODOT / "blob_budget.gd", "_SIZES"),
        (GODOT / "blob_codecs.gd", "_SIZES"), (JAVASCRIPT, "ELEMENT_SIZES"),
    ]),
    *((codec.number, [
        (GODOT / "blob_codecs.gd", codec.name.upper()),
        (UNITY / "Codecs/GridCodecs.cs", codec.name.capitalize()),
    ]) for codec in (STORED, ZLIB, PACK, BITMAP, TILES, HEIGHTS)),
    *((codec.number, [(JAVASCRIPT, codec.name.upper())]) for codec in (STORED, ZLIB, PACK)),
    ([TILES.number, HEIGHTS.number, VISIBILITY.number],
        [(JAVASCRIPT, "SMALL_PROFILE")]),
    (values.NUMBER, [
        (GODOT / "blob_json.gd", "CODEC"), (JAVASCRIPT, "VALUES"),
        (UNITY / "Blob/JsonReader.cs", "Codec"),
    ]),
    (_visibility.DERIVE, [
        (GODOT / "level_blob.gd", "_DERIVE"), (JAVASCRIPT, "DERIVE"),
        (UNITY / "Blob/LevelSight.cs", "Derive"),
    ]),
    (_visibility.CODED, [
        (GODOT / "level_blob.gd", "_CODED"), (UNITY / "Blob/LevelSight.cs", "Coded"),
    ]),
    (_visibility.SIGHT_RULES, [
        (GODOT / "level_blob.gd", "_RULES"), (JAVASCRIPT, "RULES"), (WORLD, "SIGHT_RULES"),
        (UNITY / "Worlds/WorldSightRule.cs", "Names"),
    ]),
    (_visibility.LARGEST_RADIUS, [
        (GODOT / "level_blob.gd", "_LARGEST_RADIUS"), (WORLD, "LARGEST_SIGHT"),
        (UNITY / "Worlds/WorldSightRule.cs", "LargestRadius"),
        (UNITY / "BlobLimits.cs", "LargestRadius"),
    ]),
    (_visibility.LONGEST_SIDE, [
        (GODOT / "level_blob.gd", "_LONGEST_SIGHT_SIDE"), (JAVASCRIPT, "LONGEST_SIGHT_SIDE"),
        (UNITY / "Blob/LevelSight.cs", "LongestSide"),
    ]),
    (_descriptions.LONGEST_SIDE, [
        (GODOT / "level_checks.gd", "_LONGEST_SIDE"), (JAVASCRIPT, "LONGEST_SIDE"),
    ]),
    (_descriptions.MOST_SEED_DIGITS, [
        (GODOT / "level_checks.gd", "_MOST_SEED_DIGITS"),
        (UNITY / "Blob/LevelDescriptions.cs", "MostSeedDigits"),
    ]),
    (_descriptions.ROLES, [
        (GODOT / "level_checks.gd", "_ROLES"), (JAVASCRIPT, "ROLES"),
        (UNITY / "Blob/LevelDescriptions.cs", "Roles"),
    ]),
    (_descriptions.COLUMN_TYPES, [
        (GODOT / "level_checks.gd", "_COLUMN_TYPES"), (JAVASCRIPT, "COLUMN_TYPES"),
        (UNITY / "Blob/LevelDescriptions.cs", "ColumnTypes"),
    ]),
    (_descriptions.LOCK_KINDS, [
        (JAVASCRIPT, "LOCK_KINDS"), (UNITY / "Blob/LevelDescriptions.cs", "LockKinds"),
    ]),
    (NUMBERS, [
        (GODOT / "level_checks.gd", "_CERTIFICATE"), (JAVASCRIPT, "CERTIFICATE"),
        (UNITY / "Blob/LayerChecks.cs", "CertificateNumbers"),
    ]),
    (EMPTY_NAMES, [
        (GODOT / "level_blob.gd", "_EMPTY_NAMES"), (JAVASCRIPT, "EMPTY_NAMES"),
        (UNITY / "LevelTile.cs", "EmptyNames"),
    ]),
    (values.LONGEST_NUMBER, [
        (GODOT / "blob_json.gd", "_LONGEST_NUMBER"), (JAVASCRIPT, "LONGEST_NUMBER"),
        (UNITY / "Blob/JsonReader.cs", "LongestNumber"),
    ]),
    (values.MOST_DIGITS, [
        (GODOT / "blob_json.gd", "_MOST_DIGITS"), (JAVASCRIPT, "MOST_DIGITS"),
        (UNITY / "Blob/JsonNumber.cs", "MostDigits"),
    ]),
    (_budget.GRIDS, [(GODOT / "blob_budget.gd", "_GRIDS"), (JAVASCRIPT, "GRIDS")]),
    (CELLS, [
        (GODOT / "blob_budget.gd", "_STEPS_OF_A_CELL"), (JAVASCRIPT, "STEPS_OF_A_CELL"),
        (UNITY / "Blob/BlobBudget.cs", "StepsOfACell"),
    ]),
    *((getattr(_budget, name), [
        (GODOT / "blob_budget.gd", f"_{name}"), (JAVASCRIPT, name),
        (UNITY / "Blob/BlobBudget.cs", name.title().replace("_", "")),
    ]) for name in (
        "STEPS_OF_A_PART", "STEPS_OF_A_VALUE", "STEPS_OF_A_POINT", "STEPS_OF_AN_EXPONENT",
        "BYTES_OF_A_SCALAR", "BYTES_OF_A_LIST", "BYTES_OF_A_MAP", "BYTES_OF_A_TEXT_BYTE",
    )),
    (FOREVER, [
        (GODOT / "codecs/tiles.gd", "_FOREVER"), (UNITY / "Codecs/TilesModel.cs", "Forever"),
    ]),
    (ONCE, [(GODOT / "codecs/tiles.gd", "_ONCE"), (UNITY / "Codecs/TilesModel.cs", "Once")]),
    (LARGEST_FACTOR, [
        (GODOT / "codecs/heights.gd", "_LARGEST_FACTOR"),
        (UNITY / "Codecs/HeightPrediction.cs", "LargestFactor"),
    ]),
    (worlds.VERSION, [(UNITY / "Worlds/WorldDescription.cs", "Newest")]),
    (worlds.FORMAT, [(UNITY / "Worlds/WorldDescription.cs", "Format")]),
    (worlds._CHUNKS, [(JAVASCRIPT, "WORLD_CHUNKS")]),
    (MAXIMUM_WORLD_SIDE, [
        (JAVASCRIPT, "LONGEST_WORLD_SIDE"), (UNITY / "Worlds/WorldDescription.cs", "LongestSide"),
    ]),
    *((getattr(DEFAULT, "total" if name == "bytes" else name), [
        (GODOT / "blob_limits.gd", f"var {name}"), (UNITY / "BlobLimits.cs", f"public {field}"),
    ]) for name, field in (
        ("cells", "int MostCells"), ("bytes", "long MostBytes"), ("steps", "long MostSteps"),
        ("chunks", "int MostChunks"), ("depth", "int Deepest"), ("values", "int MostValues"),
        ("text", "int MostText"),
    )),
    *((getattr(STRANGERS, "total" if name == "bytes" else name), [
        (GODOT / "blob_limits.gd", f"limits.{name}"),
        (UNITY / "BlobLimits.cs", f"  Most{name.capitalize()}"),
    ]) for name in ("cells", "bytes", "steps", "chunks", "values", "text")),
    ([
        DEFAULT.cells, DEFAULT.total, DEFAULT.steps, DEFAULT.chunks, DEFAULT.depth, DEFAULT.values,
        DEFAULT.text, _visibility.LARGEST_RADIUS,
    ], [(JAVASCRIPT, "DEFAULT_LIMITS")]),
    ([
        STRANGERS.cells, STRANGERS.total, STRANGERS.steps, STRANGERS.chunks, STRANGERS.values,
        STRANGERS.text,
    ], [(JAVASCRIPT, "STRANGER_LIMITS")]),
]  # fmt: skip

# The end of a declaration by the file's suffix; brackets are passed over.
END = {".gd": "\n", ".js": ";", ".cs": ";"}
ATOM = re.compile(r'"[^"]*"|0x[0-9a-fA-F]+|\d+L?(?: *(?:<<|\*\*) *\d+)?')


def updated_files() -> dict[Path, str]:
    """Return the text of every file, with the values of the table."""
    texts: dict[Path, str] = {}
    for value, places in TABLE:
        for file, name in places:
            text = texts.get(file) or file.read_text(encoding="utf-8")
            texts[file] = with_value(text, file.suffix, name, value)
    return texts


def with_value(text: str, suffix: str, name: str, value: Any) -> str:
    """Return the text of a file in which a constant has a value; as it was, if it has it."""
    begin = re.search(rf"(?<!\w){name}(?:: [\w\[\]]+)? :?=", text)
    assert begin is not None, f"{name} is not declared"
    needed = atoms(value)
    end = end_of(text, begin.end(), END[suffix] if not name.startswith(" ") else ",")
    present = list(ATOM.finditer(text, begin.end(), end))
    known = [number_or_text(atom[0]) for atom in present]
    same = sorted(known) == sorted(needed) if isinstance(value, frozenset) else known == needed
    if same:
        return text
    first, last = present[0].start(), present[-1].end()
    if isinstance(value, Mapping):
        pair = "{ %s, %s }" if suffix == ".cs" else "%s: %s"
        first, last = (first - 2, last + 2) if suffix == ".cs" else (first, last)
        written = [pair % item for item in value.items()]
    else:
        written = [f'"{item}"' if isinstance(item, str) else str(item) for item in needed]
    return text[:first] + ", ".join(written) + text[last:]


def atoms(value: Any) -> list[Any]:
    """Return the numbers and texts of a value in order."""
    if isinstance(value, Mapping):
        return [item for pair in value.items() for item in pair]
    if isinstance(value, Collection) and not isinstance(value, str):
        return sorted(value) if isinstance(value, frozenset) else list(value)
    return [value]


def number_or_text(atom: str) -> int | str:
    """Return what an atom of a file means."""
    if atom.startswith('"'):
        return atom[1:-1]
    base, operator, exponent = re.fullmatch(r"(\w+?)L?(?: *(<<|\*\*) *(\d+))?", atom).groups()
    if operator is None:
        return int(base, 0)
    return int(base) << int(exponent) if operator == "<<" else int(base) ** int(exponent)


def end_of(text: str, start: int, mark: str) -> int:
    """Return where a declaration ends: at the mark, outside brackets."""
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] in "[{(") - (text[position] in "]})")
        if depth <= 0 and text[position] == mark:
            return position
    raise AssertionError("the declaration has no end")


if __name__ == "__main__":
    for path, content in updated_files().items():
        path.write_text(content, encoding="utf-8")
