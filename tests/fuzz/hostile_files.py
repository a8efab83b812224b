"""Read damaged maps, edits and packs: each is read or refused in words, within limits.

    python tests/fuzz/hostile_files.py                     # 10,000 files, in turn of every kind
    python tests/fuzz/hostile_files.py --only 4711         # one of them, printed and read

The limits are two seconds and 256 MB. Good files of Tiled (both languages), LDtk (levels, worlds),
hand edits and packs are changed in one to four places, mostly so that they are still XML, JSON or
YAML; packs mostly get right checksums. For Linux.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import struct
import sys
import tempfile
import warnings
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "harness"), str(ROOT)]

import numpy as np  # noqa: E402

import exporter  # noqa: E402
from exporter.blob import read_container, write_container  # noqa: E402
from exporter.build.build import Build  # noqa: E402
from exporter.codecs import Limits  # noqa: E402
from exporter.model.errors import BlobError, SpecError  # noqa: E402
from exporter.packs.format import HEADER, _check, _file  # noqa: E402
from hand_tiled import drawn, group, layer, properties, things, tileset  # noqa: E402
from hostile_specs import PIECES  # noqa: E402
from ldtk_projects import Entity, EntityDefinition, Layer, Level, Project, Tileset  # noqa: E402
from mutated_blobs import CHANGES, TOKENS, VECTORS, shuffle_entry  # noqa: E402
from watched_workers import Bounds, Judge, run  # noqa: E402

CELLS = np.array([[1, 1, 1, 1], [1, 2, 0x80000003, 1], [1, 3, 0, 1]], np.uint32)
TILES: dict[int, Any] = {
    0: {"type": "wall"},
    1: {"type": "Floor", "properties": properties(walkable=True, cost=2, note="Händler")},
    2: {"class": "water"},
}
# Words and numbers that mean something in one of the formats, or a file that is there.
WORDS = (
    "base64", "zlib", "gzip", "csv", "wall", "floor", "Things", "isometric", "hexagonal", "solid",
    "a.tsx", "b.png", "../a.tsx", "tile", "object", "id", "gid", "firstgid", "point", "level",
    "1e9", "-1", "0", "2147483648", "1000000", "30000", "nan", "16777216", "é", "\u202e", "1,2",
)  # fmt: skip
# A value in any of the languages; that of YAML may be a bare word.
VALUE = re.compile(r'"[^"\n]{0,80}"|-?\d[\d.]*|\b(?:true|false|null)\b|(?<=: )[a-z]+')
EDITS = """\
layers:
  plan:
    - {at: [1, 1], was: wall, now: floor}
    - {at: [2, 1], was: floor, now: water}
objects:
  - {name: chest, add: [3, 2]}
  - {name: stairs, ordinal: 1, was: [4, 4], now: [1, 1]}
  - {name: guard, ordinal: 2, remove: true}
"""
GROUND = "{generator: cellular_caves, wall_percent: 30}"
REST = "objects:\n  - {name: stairs}\n  - {name: guard, count: 3, required: false}\n"


def tiled(language: str, random_: random.Random) -> bytes:
    """Return a map with a part of every kind."""
    encoding = random_.choice(("csv", "base64", "zlib", "gzip", "tiles"))
    corners = [{"x": 0, "y": 0}, {"x": 30, "y": 0}, {"x": 0, "y": 30}]
    return drawn(
        {**layer("Plan", CELLS, encoding=encoding), "id": 1},
        layer("Plan", CELLS, encoding=encoding),
        group("g", layer("Plan", CELLS, encoding=encoding)),
        things(
            "Things",
            {"id": 1, "name": "Spawn Point", "x": 24, "y": 24, "point": True},
            {"id": 2, "name": "x", "x": 8, "y": 8, "properties": properties(gold=3, a=True)},
            {"id": 3, "type": "room", "x": 0, "y": 0, "width": 32, "height": 32, "rotation": 30},
            {"id": 4, "type": "collision", "x": 1, "y": 1, "polygon": corners},
            {"id": 5, "x": 16, "y": 32, "gid": 2, "width": 16, "height": 16},
        ),
        language=language,
        tilesets=[tileset(TILES), {"firstgid": 65, "source": "a.tsx"}],
    )


def ldtk(worlds: bool) -> bytes:
    """Return a project with a layer of every kind, of one world or of two."""
    content = {
        "Plan": [[1, 1, 1, 1], [1, 0, 2, 1], [1, 3, 0, 1]],
        "Floor": [(0, 0, 1), (1, 1, 2, 1)],
        "Things": [
            Entity("Chest", (24, 24), fields=(("gold", "Int", 3), ("to", "Point", None))),
            Entity("Chest", (8, 8), (32, 32), (("loot", "Array<Int>", [1]),)),
        ],
    }
    levels = [Level("A", content), Level("B", content, at=(64, 0), offsets={"Plan": (8, 0)})]
    parts: dict[str, Any] = {"worlds": [("W", "Free", levels)]} if worlds else {"levels": levels}
    project = Project(
        layers=[
            Layer("Things", "Entities"),
            Layer("Plan", values={1: "wall", 2: "water", 3: "Door"}),
            Layer("Floor", "Tiles", tileset="Stones"),
        ],
        tilesets=[Tileset("Stones", enum_tags={"Wall": [1]}, custom_data={2: "water"})],
        entities=[EntityDefinition("Chest", resizable=(True, True))],
        **parts,
    )
    return project.content()


def changed_text(text: str, random_: random.Random) -> str:
    """Replace values and parts of a text of any language."""
    for _ in range(random_.choice((1, 1, 2, 4))):
        found = list(VALUE.finditer(text))
        if found and random_.random() < 0.8:
            match = random_.choice(found)
            new = random_.choice((*TOKENS, *WORDS))
            if match[0].startswith('"'):
                new = f'"{new.strip(chr(34))}"'
            text = text[: match.start()] + new + text[match.end() :]
            continue
        at = random_.randrange(len(text) + 1)
        end = min(len(text), at + random_.choice((0, 1, 5, 30, 200)))
        new = random_.choice(
            (*PIECES, text[at:end] * 2, text[at:end] * 300, "", "<", "&#x0;", "/>")
        )
        text = text[:at] + new + text[end:]
    return text


def changed_json(text: str, random_: random.Random) -> str:
    """Replace, remove or repeat parts of a document; it is JSON still."""
    tree = json.loads(text)
    for _ in range(random_.choice((1, 1, 2, 4))):
        shuffle_entry(tree, random_)
    text = json.dumps(tree)
    for _ in range(random_.choice((0, 1, 1, 2))):
        match = random_.choice(list(VALUE.finditer(text)))
        if text[match.end() : match.end() + 1] != ":":
            new = random_.choice((*TOKENS, *(json.dumps(word) for word in WORDS)))
            text = text[: match.start()] + new + text[match.end() :]
    return text


def changed(content: bytes, random_: random.Random) -> bytes:
    """Return a file of text with one to four changes."""
    text = content.decode()
    if text.startswith("{") and random_.random() < 0.7:
        text = changed_json(text, random_)
    else:
        text = changed_text(text, random_)
    content = text.encode("utf-8", "surrogatepass")
    if random_.random() < 0.03:
        content = content[: random_.randrange(len(content) + 1)] + random_.randbytes(3)
    return content


def changed_pack(content: bytes, random_: random.Random) -> bytes:
    """Return a pack with changes in its shared part, columns or levels."""
    if random_.random() < 0.2:
        data = bytearray(content)
        for _ in range(random_.choice((1, 2, 5))):
            data[random_.randrange(len(data))] ^= 1 << random_.randrange(8)
        return bytes(data[: random_.randrange(len(data) + 1)] if random_.random() < 0.3 else data)
    _, _, _, _, levels, shared, columns, _, _ = HEADER.unpack_from(content)
    table = HEADER.size + shared + columns
    offsets = struct.unpack_from(f"<{levels + 1}I", content, table)
    parts = [content[HEADER.size :][:shared], content[HEADER.size + shared : table]]
    bodies = [content[at + 4 : end] for at, end in pairwise(offsets)]
    for _ in range(random_.choice((1, 1, 2, 4))):
        which = random_.choice((0, 0, 1, 2))
        if which < 2:
            container = read_container(parts[which])
            chunks = [container.load(index) for index in range(len(container))]
            if chunks:
                random_.choice(CHANGES)(chunks, random_.randrange(len(chunks)), random_)
            parts[which] = write_container(chunks)
        else:
            number = random_.randrange(levels)
            body = bytearray(bodies[number] or b"\0")
            for _ in range(random_.choice((1, 1, 5))):
                body[random_.randrange(min(len(body), 200))] = random_.randrange(256)
            bodies[number] = bytes(body[: random_.choice((len(body), random_.randrange(300)))])
    records = [struct.pack("<I", _check(at, body)) + body for at, body in enumerate(bodies)]
    return _file(*parts, records)


def load(folder: Path, plan: str, rest: str = "", size: str = "[4, 3]") -> None:
    """Build a level with a layer that is made from a file; it may be refused."""
    path = folder / "x.level.yaml"
    path.write_text(f"size: {size}\nlayers:\n  plan: {plan}\n{rest}")
    build = Build(exporter.load_level(path))
    build.prepare()
    build.shortfalls()
    build.level()


def of_tiled(language: str) -> tuple[Any, Any]:
    """Return how a map of a language is made and read."""

    def make(random_: random.Random) -> bytes:
        return changed(tiled(language, random_), random_)

    def read(content: bytes, folder: Path, random_: random.Random) -> None:
        (folder / f"m.{language}").write_bytes(content)
        chosen = random_.choice(("{id: 1}", "'Plan#2'", "g/Plan", "Plan"))
        solid = random_.choice(("", ", solid: [collision]", ", solid: [Things]"))
        load(folder, f"{{generator: from_tiled, file: m.{language}, layer: {chosen}{solid}}}")

    return make, read


def of_ldtk(worlds: bool) -> tuple[Any, Any]:
    """Return how a project is made and read."""

    def make(random_: random.Random) -> bytes:
        return changed(ldtk(worlds), random_)

    def read(content: bytes, folder: Path, random_: random.Random) -> None:
        (folder / "m.ldtk").write_bytes(content)
        chosen = "world: W" if worlds else random_.choice(("level: A", "world: true"))
        size = "[4, 3]" if chosen == "level: A" else "[8, 3]"
        name = random_.choice(("Plan", "Plan", "Floor"))
        plan = f"{{generator: from_ldtk, file: m.ldtk, layer: {name}, {chosen}}}"
        load(folder, plan, size=size)

    return make, read


def make_edits(random_: random.Random) -> bytes:
    """Return a file of hand edits, as YAML or as JSON."""
    text = random_.choice((EDITS, EDITS.replace("floor", "'floor'"), f"---\n# mine\n{EDITS}"))
    return changed(text.encode(), random_)


def read_edits(content: bytes, folder: Path, random_: random.Random) -> None:
    """Build a level with hand edits."""
    (folder / "x.edits.yaml").write_bytes(content)
    load(folder, GROUND, REST, "[8, 8]")


def make_pack(random_: random.Random) -> bytes:
    """Return a changed pack."""
    return changed_pack((VECTORS / "caves.lvp").read_bytes(), random_)


def read_pack(content: bytes, folder: Path, random_: random.Random) -> None:
    """Read all that a pack has."""
    path = folder / "x.lvp"
    path.write_bytes(content)
    with exporter.open_pack(path, Limits.for_strangers()) as pack:
        _ = pack.seeds, pack.parameters, pack.metrics
        for index in range(min(len(pack), 4)):
            pack.blob(index)
            _ = pack[index]


Make = Callable[[random.Random], bytes]
Read = Callable[[bytes, Path, random.Random], None]
KINDS: dict[str, tuple[Make, Read]] = {
    "tmx": of_tiled("tmx"),
    "tmj": of_tiled("tmj"),
    "ldtk": of_ldtk(worlds=False),
    "ldtk worlds": of_ldtk(worlds=True),
    "edits": (make_edits, read_edits),
    "pack": (make_pack, read_pack),
}


def prepare(seed: int, folder: str) -> Judge:
    """Return the judge of a damaged file by its number."""
    warnings.simplefilter("ignore")

    def judge(case: int) -> str:
        kind = list(KINDS)[case % len(KINDS)]
        make, read = KINDS[kind]
        random_ = random.Random(f"{seed} {case}")
        content = make(random_)
        with tempfile.TemporaryDirectory(dir=folder) as own:
            (Path(own) / "a.tsx").write_text('<tileset name="a" tilecount="9"><image/></tileset>')
            try:
                read(content, Path(own), random_)
            except (SpecError, BlobError) as error:
                assert str(error).strip()
                return f"{kind} refused"
        return f"{kind} read"

    return judge


def main() -> int:
    """Judge the files that the command line asks for; return 1 when one failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="print and read this one, in this process")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.only is not None:
            make, _ = list(KINDS.values())[options.only % len(KINDS)]
            content = make(random.Random(f"{options.seed} {options.only}"))
            sys.stdout.buffer.write(content + b"\n")
            print(prepare(options.seed, folder)(options.only))
            return 0
        arguments = (options.seed, folder)
        findings = run(prepare, arguments, range(options.count), options.jobs, Bounds())
    return findings.report()


if __name__ == "__main__":
    sys.exit(main())
