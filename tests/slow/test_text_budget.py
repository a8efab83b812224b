"""Texts of strangers, doubled in size: read or refused in seconds and some hundred megabytes."""

from __future__ import annotations

import time
import tracemalloc
from itertools import count
from typing import Any

from cases import each_case
from exporter.formats.tables.csv_reader import read_csv_table
from exporter.formats.tables.json_reader import read_json_table
from exporter.formats.tables.xml_reader import read_xml_table
from exporter.handmade.ldtk.project import read_project
from exporter.handmade.tiled.maps import read_tiled_map
from exporter.model.errors import ExporterError
from exporter.reading.edits import parse_edits
from exporter.reading.reader import parse_level

MEBIBYTE = 1 << 20
# Measuring memory takes most of it: without that readers need less than 5. Work that grows with
# the square of the size takes minutes.
SECONDS = 40.0
MEMORY = 256 * MEBIBYTE
SCHEMA = (
    b'<xs:schema id="S" xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="S">'
    b'<xs:complexType><xs:choice><xs:element name="t"><xs:complexType><xs:sequence>'
    b'<xs:element name="a" type="xs:string"/></xs:sequence></xs:complexType></xs:element>'
    b"</xs:choice></xs:complexType></xs:element></xs:schema>"
)
MAP = (
    '<map orientation="orthogonal" width="2" height="2" tilewidth="16" tileheight="16">'
    '<tileset firstgid="1" name="a" tilecount="4"/>'
)
OBJECTS = f'{MAP}<objectgroup name="o">'
JSON_MAP = (
    '{"type": "map", "orientation": "orthogonal", "width": 2, "height": 2, "tilewidth": 16, '
    '"tileheight": 16, "tilesets": [], "x": '
)
LEVEL = "size: [3, 2]\nlayers:\n  g: {generator: blank}\nx: "


def many(part: str, size: int) -> str:
    """Return a part repeated to a size; each with a number of its own if it has a `%x`."""
    if "%x" not in part:
        return part * (size // len(part))
    parts, left = [], size
    for number in count():
        parts.append(part % number)
        left -= len(parts[-1])
        if left <= 0:
            break
    return "".join(parts)


def tiled(content: bytes) -> Any:
    return read_tiled_map(content, "a.tmx", lambda name: b"")


def ldtk(content: bytes) -> Any:
    return read_project(content, "a.ldtk", lambda name: b"")


def csv(content: bytes) -> Any:
    return read_csv_table(content, "a.csv", "a")


def json_table(content: bytes) -> Any:
    return read_json_table(content, "a.json", "a")


def xml_table(content: bytes) -> Any:
    return read_xml_table(content, "a.xml", SCHEMA, "a.xsd")


def level(content: bytes) -> Any:
    return parse_level(content, "a.level.yaml")


def edits(content: bytes) -> Any:
    return parse_edits(content, "a.edits.yaml")


# The reader, the most mebibytes that it takes at all, and a text: its start, its repeated part,
# numbered if it has a `%x`, and its end.
KINDS: list[tuple[Any, int, str, str, str]] = [
    (tiled, 32, f'{OBJECTS}<object><polygon points="', "1,1 ", '"/></object></objectgroup></map>'),
    (tiled, 32, f"{OBJECTS}<object ", 'a%x="" ', "/></objectgroup></map>"),
    (tiled, 32, OBJECTS, '<object a%x="" b="" c="" d="" e=""/>', "</objectgroup></map>"),
    (tiled, 32, MAP, "<a/>", "</map>"),
    (tiled, 32, f'{MAP}<layer width="2" height="2"><data>', "<tile/>", "</data></layer></map>"),
    (
        tiled,
        32,
        f'{MAP}<layer width="2" height="2"><data encoding="csv">',
        "1,",
        "</data></layer></map>",
    ),
    (tiled, 32, f"{JSON_MAP}[", "300,", "1]}"),
    (tiled, 32, f"{JSON_MAP}{{", '"%x":1,', '"":1}}'),
    (tiled, 32, f'{JSON_MAP}"\U0001f600', "a", '"}'),
    (ldtk, 16, '{"x":{', '"%x":1,', '"":1}}'),
    (ldtk, 16, '{"x":[', "1e1,", "1]}"),
    (csv, 32, "a\n", "1\n", ""),
    (csv, 32, "", "%x,", "z\n1\n"),
    (csv, 32, 'a\n"', '""', ""),
    (json_table, 32, "[{", '"%x":1,', '"":1}]'),
    (xml_table, 32, "<S ", 'a%x="" ', "/>"),
    (level, 1, f"{LEVEL}[", "a,", "]"),
    (level, 1, LEVEL, "a: ", ""),
    (level, 1, f'{LEVEL}"', "a\n", ""),
    (level, 1, LEVEL, "- ", ""),
    (level, 1, LEVEL, "[", ""),
    (edits, 4, "layers:\n  g: [", "{at: [1, 2], was: a, now: b}, ", "]"),
]


@each_case("kind", list(range(len(KINDS))))
def test_a_text_of_any_size_is_read_or_refused_within_the_budget(kind: int) -> None:
    read, largest, before, repeated, behind = KINDS[kind]
    for halvings in (3, 0):
        size = (largest * MEBIBYTE >> halvings) - 4096
        content = f"{before}{many(repeated, size)}{behind}".encode()
        tracemalloc.start()
        started = time.process_time()
        try:
            read(content)
        except ExporterError as error:
            assert len(str(error)) < 50_000
        seconds = time.process_time() - started
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        what = f"{read.__name__} of {len(content)} bytes {content[:400][-60:]!r}"
        assert peak + len(content) < MEMORY, f"{what}: {peak >> 20} MiB"
        assert seconds < SECONDS, f"{what}: {seconds:.1f} s"
