"""Read the file with a level's hand edits, beside its spec.

    layers:
      ground:
        - {at: [12, 7], was: wall, now: floor}
    objects:
      - {name: chest, ordinal: 2, was: [4, 7], now: [5, 7]}
      - {name: chest, add: [9, 9]}
      - {name: chest, ordinal: 3, remove: true}

Each edit contains the generated value that it replaces (`was`). If the generated level changes
there, the edit is a conflict: it is reported by the build (`exporter.build.edits`) and stays in the
file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field
from typing import Annotated

from exporter.model.errors import Problem, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import (
    MAXIMUM_EDITS,
    MAXIMUM_EDITS_BYTES,
    MAXIMUM_PROBLEMS,
    MAXIMUM_WORLD_SIDE,
)
from exporter.model.parameters import About, Name, Parameters, Within
from exporter.reading.edit_lines import read_lines
from exporter.reading.validation import check
from exporter.reading.yaml_reader import Document, read_document, settled
from exporter.reading.yaml_reader import Path as ValuePath

# Limit of values and keys in one file: an edit has at most 13, as that of a moved object.
MAXIMUM_EDIT_VALUES = 14 * MAXIMUM_EDITS
LARGEST_SAMPLE = 65535

Index = Annotated[int, Within(0, MAXIMUM_WORLD_SIDE - 1)]
Cell = tuple[Index, Index]
Sample = Annotated[int, Within(0, LARGEST_SAMPLE)]
TileName = Annotated[str, Within(1, 200, length=True)]
# A kind of tile by its name, a height sample, or null for an empty cell.
CellValue = TileName | Sample | None


@dataclass(frozen=True, kw_only=True)
class CellEdit(Parameters):
    """One cell of a layer that was changed by hand."""

    at: Annotated[Cell, About("Column and row of the cell.", unit="cells", example="[12, 7]")]
    was: Annotated[
        CellValue,
        About(
            "What the generator had made there: the name of a tile, a height sample, or null for "
            "an empty cell.",
            also=("from", "before"),
            example="wall",
        ),
    ]
    now: Annotated[
        CellValue, About("The new tile or value.", also=("to", "after", "tile"), example="floor")
    ]


@dataclass(frozen=True, kw_only=True)
class ObjectEdit(Parameters):
    """An object that was moved, added (`add`) or removed by hand.

    A moved object has `ordinal`, `was` and `now`.
    """

    name: Annotated[Name, About("Name of the object.", also=("object", "type"), example="chest")]
    ordinal: Annotated[
        Annotated[int, Within(1, 1_000_000)] | None,
        About(
            "Which of the objects of that name, counted from 1 as they were placed.",
            also=("number", "index"),
            example="2",
        ),
    ] = None
    was: Annotated[
        Cell | None,
        About("Cell where it was placed.", unit="cells", also=("from",), example="[4, 7]"),
    ] = None
    now: Annotated[
        Cell | None,
        About("Cell where it is to stand.", unit="cells", also=("to",), example="[5, 7]"),
    ] = None
    add: Annotated[
        Cell | None,
        About("Cell of an object that is added.", unit="cells", also=("at",), example="[9, 9]"),
    ] = None
    remove: Annotated[
        bool | None, About("Whether the object is removed.", also=("delete",), example="true")
    ] = None

    @property
    def target(self) -> tuple[str, int, tuple[int, int] | None]:
        """What is edited, as name, ordinal (or 0) and added cell.

        No two edits of a file have the same target.
        """
        return self.name, self.ordinal or 0, self.add


@dataclass(frozen=True, kw_only=True)
class EditsDocument(Parameters):
    """The top-level keys of an edits file."""

    layers: Annotated[
        dict[Name, tuple[CellEdit, ...]],
        About("Edited cells by layer.", also=("cells",), example="{ground: [{at: [1, 2]}]}"),
    ] = field(default_factory=dict)
    objects: Annotated[tuple[ObjectEdit, ...], About("Edited objects.")] = ()


@dataclass(frozen=True, slots=True, eq=False)
class LevelEdits:
    """The hand edits of a level.

    Attributes:
        layers: The edited cells by layer; each cell at most once.
        objects: The edited objects; each at most once.
        document: The parsed file, with the line of each edit.
        digest: SHA-256 of the file's content, in hexadecimal digits.
    """

    layers: Mapping[str, tuple[CellEdit, ...]]
    objects: tuple[ObjectEdit, ...]
    document: Document = field(compare=False)
    digest: str = field(default="", compare=False)

    @property
    def count(self) -> int:
        """The number of edited cells and objects."""
        return sum(map(len, self.layers.values())) + len(self.objects)

    def warning(self, path: ValuePath, message: str) -> Problem:
        """Return a warning at the line of `path` in the edits file."""
        return self.document.problem(path, message, at_key=True, severity="warning")


def parse_edits(content: bytes, file: str) -> LevelEdits:
    """Parse and check `content`, the YAML or JSON of an edits file.

    Empty content means no edits. `file` is the file's name for messages.

    Raises:
        SpecError: The file has errors; contains all of them.
    """
    quick = _from_lines(content, file)
    return _checked(quick) if quick is not None else parse_any_edits(content, file)


def _from_lines(content: bytes, file: str) -> LevelEdits | None:
    """Parse a faultless file in the exporter's own style; else return None."""
    if len(content) > MAXIMUM_EDITS_BYTES:
        return None
    try:
        lines = read_lines(content.decode("ascii"), file)
        if lines is None:
            return None
        rest = parse_any_edits(lines.rest.encode(), file)
    except (UnicodeDecodeError, SpecError):
        return None
    if rest.layers:
        return None
    layers = {
        name: tuple(CellEdit(at=(x, y), was=was, now=now) for x, y, was, now in cells)
        for name, cells in lines.layers.items()
    }
    document = lines.document
    document.values |= rest.document.values
    document.keys |= rest.document.keys
    if _faults(EditsDocument(layers=layers), document):
        return None
    digest = hashlib.sha256(content).hexdigest()
    return LevelEdits(layers, rest.objects, document, digest)


def limits_exceeded(count: int, size: int = 0) -> str:
    """Return a message if `count` edits or `size` bytes are too many, else ""."""
    if count <= MAXIMUM_EDITS and size <= MAXIMUM_EDITS_BYTES:
        return ""
    result = f"{count:,} hand edits" + (f" in {size:,} bytes" if size else "")
    allowed = f"{MAXIMUM_EDITS:,} edits" + (f", {MAXIMUM_EDITS_BYTES:,} bytes" if size else "")
    return (
        f"{result} are too many for one level (allowed: {allowed}; make a copy of the painted map "
        "a layer of the spec with the generator `from_tiled`)"
    )


def _checked(edits: LevelEdits) -> LevelEdits:
    message = limits_exceeded(edits.count)
    if message:
        raise SpecError([edits.document.problem((), message)])
    return edits


def parse_any_edits(content: bytes, file: str) -> LevelEdits:
    """Parse an edits file like `parse_edits`, but always as general YAML.

    So it takes no short cut for files in the exporter's own style.
    """
    document = read_document(
        content, file, maximum_bytes=MAXIMUM_EDITS_BYTES, maximum_values=MAXIMUM_EDIT_VALUES
    )
    data = document.data if document.data is not None else {}
    read, problems = check(EditsDocument, _without_nothing(data), document, ())
    if read is not None:
        problems += _faults(read, document)
    problems = settled(document, problems)[:MAXIMUM_PROBLEMS]
    if problems or read is None:
        raise SpecError(problems)
    digest = hashlib.sha256(content).hexdigest()
    return _checked(LevelEdits(read.layers, read.objects, document, digest))


def _without_nothing(data: object) -> object:
    """Return `data` without keys that have no value.

    Such keys are left behind when all their edits are removed.
    """
    if not isinstance(data, dict):
        return data
    remaining = {key: value for key, value in data.items() if value is not None}
    if isinstance(remaining.get("layers"), dict):
        remaining["layers"] = {
            key: item for key, item in remaining["layers"].items() if item is not None
        }
    return remaining


def _faults(read: EditsDocument, document: Document) -> list[Problem]:
    """Return the problems of `read` that no check of a single value can find."""
    problems: list[Problem] = []
    for name, edits in read.layers.items():
        first: dict[tuple[int, int], int] = {}
        for index, edit in enumerate(edits):
            path = ("layers", name, index)
            if edit.at in first:
                line = document.values[("layers", name, first[edit.at])].line + 1
                message = f"the cell {_cell(edit.at)} is edited twice (first in line {line}; "
                problems.append(document.problem(path, f"{message}remove one)"))
            first.setdefault(edit.at, index)
    seen: dict[object, int] = {}
    for index, item in enumerate(read.objects):
        fault = _object_fault(item)
        if not fault and item.target in seen:
            line = document.values[("objects", seen[item.target])].line + 1
            fault = f"this object is edited twice (first in line {line}; remove one)"
        seen.setdefault(item.target, index)
        if fault:
            problems.append(document.problem(("objects", index), fault))
    return problems


def _object_fault(edit: ObjectEdit) -> str:
    """Return what is wrong with `edit`; "" if nothing is."""
    forms = [
        words
        for given, words in (
            (edit.now is not None, "`now`"),
            (edit.add is not None, "`add`"),
            (edit.remove is not None, "`remove`"),
        )
        if given
    ]
    if len(forms) != 1:
        result = " and ".join(forms) if forms else "no `now`, `add` or `remove`"
        return f"the edit has {result} (write `was` and `now` to move, `add`, or `remove: true`)"
    if edit.remove is False:
        return "`remove` is false (write `remove: true`, or remove the key)"
    if edit.add is not None:
        extra = "ordinal" if edit.ordinal is not None else "was" if edit.was is not None else ""
        return f"an added object has no `{extra}` (remove it)" if extra else ""
    if edit.ordinal is None:
        return "`ordinal` is missing here (which of the objects of that name, from 1)"
    if edit.now is not None and edit.was is None:
        return "`was` is missing here (the cell where the object was placed)"
    return ""


def _cell(at: tuple[int, int]) -> str:
    return f"[{at[0]}, {at[1]}]"
