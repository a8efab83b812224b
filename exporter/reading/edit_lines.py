"""Read files of hand edits in the exporter's own style, line by line.

Every build of a level reads its hand edits, which may be thousands; this is much faster than
reading YAML. Files in any other style, and all mistakes, are left to the YAML reader.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from exporter.model.limits import MAXIMUM_WORLD_SIDE
from exporter.reading.yaml_reader import Document, Mark
from exporter.reading.yaml_scalars import plain_scalar

_NUMBER = r"(?:0|[1-9][0-9]{0,4})"
_VALUE = rf"null|{_NUMBER}|[A-Za-z][A-Za-z0-9_-]{{0,63}}"
_CELL = re.compile(
    rf"    - \{{at: \[({_NUMBER}), ({_NUMBER})\], was: ({_VALUE}), now: ({_VALUE})\}}"
    r"(?: +#[^\r]*)?\r?"
)
_LAYER = re.compile(r"  ([A-Za-z][A-Za-z0-9_-]{0,63}):\r?")
_NOTHING = re.compile(r"[ ]*(?:#[^\r]*)?\r?")
_LAYERS = re.compile(r"layers:\r?")
_OBJECTS = re.compile(r"objects:\r?")
_LARGEST_SAMPLE = 65535
# The general YAML reader reports control characters with their place.
_UNUSUAL = re.compile("[^\t\n\r -~]")

CellValue = str | int | None


class Lines(NamedTuple):
    """The edits of a file that was read line by line.

    Attributes:
        document: The file with the positions of its cell edits; its `data` is empty.
        layers: For each layer x, y, old and new value of each edited cell.
        rest: The other lines (edits of objects) as text; may be empty.
    """

    document: Document
    layers: dict[str, list[tuple[int, int, CellValue, CellValue]]]
    rest: str


def read_lines(text: str, file: str) -> Lines | None:
    """Read the `text` of a file of hand edits in the exporter's own style.

    Return None if the text has another style. `file` is the file's name for messages.
    """
    if _UNUSUAL.search(text):
        return None
    document = Document(file, text)
    layers: dict[str, list[tuple[int, int, CellValue, CellValue]]] = {}
    values: dict[str, CellValue] = {}
    cells: list[tuple[int, int, CellValue, CellValue]] | None = None
    name, begun, start = "", False, 0
    for number, line in enumerate(text.split("\n")):
        cell = _CELL.fullmatch(line)
        if cell is not None:
            if cells is None:
                return None
            x, y, was, now = cell.groups()
            for word in (was, now):
                if word not in values and not _take_value(word, values):
                    return None
            if int(x) >= MAXIMUM_WORLD_SIDE or int(y) >= MAXIMUM_WORLD_SIDE:
                return None
            mark = Mark(number, 6, line.index("}") - 5, start + 6, start + line.index("}") + 1)
            document.values["layers", name, len(cells)] = mark
            cells.append((int(x), int(y), values[was], values[now]))
        elif (layer := _LAYER.fullmatch(line)) is not None:
            name = layer[1]
            if not begun or name in layers or plain_scalar(name) != (name, ""):
                return None
            mark = Mark(number, 2, len(name), start + 2, start + 2 + len(name))
            document.keys["layers", name] = document.values["layers", name] = mark
            cells = layers[name] = []
        elif _LAYERS.fullmatch(line) is not None and not begun:
            begun = True
        elif _OBJECTS.fullmatch(line) is not None:
            return Lines(document, layers, "\n" * number + text[start:])
        elif _NOTHING.fullmatch(line) is None:
            return None
        start += len(line) + 1
    return Lines(document, layers, "")


def _take_value(word: str, values: dict[str, CellValue]) -> bool:
    """Add the value of the YAML word `word` to `values`, by the word.

    Return False if the word is ambiguous or cannot be the value of a cell.
    """
    value, complaint = plain_scalar(word)
    fitting = value is None or isinstance(value, str) or type(value) is int
    if complaint or not fitting or (isinstance(value, int) and value > _LARGEST_SAMPLE):
        return False
    values[word] = value
    return True
