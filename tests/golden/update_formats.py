"""The recorded files of a small level in every engine's dialect.

    python tests/golden/update_formats.py            # compare, show differences
    python tests/golden/update_formats.py --write    # and record the current result

`formats/index.json` holds the SHA-256 of every file by target; the text files among them are stored
beside it in full, so that a change can be read. The blob is recorded elsewhere.
"""

from __future__ import annotations

import difflib
import json
import shutil
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np

from exporter.model.level import (
    BLACK,
    CLEAR,
    Connection,
    HeightRange,
    Layer,
    Level,
    PlacedObject,
    Room,
    Tile,
)
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.targets import TARGETS

FOLDER = Path(__file__).parent / "formats"
INDEX = FOLDER / "index.json"
# Targets with the options that reach most of their code.
TARGET_OPTIONS: dict[str, dict[str, object]] = {
    "godot": {},
    "unity": {"extrude": 1},
    "tiled": {"languages": ("json", "xml")},
    "ldtk": {"tiles": True},
    "defold": {"extrude": 1},
    "gltf": {"bitmaps": False, "heightmaps": False},
}
MAP = """\
##########
#...##...#
#.#....#.#
#...~~...#
##..~~..##
##########"""


def sample_level() -> Level:
    """Return a level with rooms, two tile layers, walls by neighbours, heights and objects."""
    ground = np.array([["#.~".index(cell) for cell in row] for row in MAP.split()], np.uint8)
    # The ids the reference programs use: 0 open, 1 solid; 2 is water.
    ground = np.array([1, 0, 2], np.uint8)[ground]
    tiles = (
        Tile(0, "floor", True, False, CLEAR),
        Tile(1, "wall", False, True, BLACK),
        Tile(2, "water", False, False, "#3366cc"),
    )
    things = np.zeros_like(ground)
    things[2, 4] = 3
    overlay = (Tile(0, "nothing", True, False, CLEAR), Tile(3, "tree", False, True, "#2f7d32"))
    y, x = np.mgrid[0:33, 0:33]
    relief = ((x * 1700 + y * 300 + (x * y) % 97 * 11) % 65536).astype(np.uint16)
    layers = (
        Layer(
            "ground",
            "tiles",
            ground,
            "rooms",
            tiles=tiles,
            walkable=ground == 0,
            rooms=(Room("west", 1, 1, 3, 2, (2, 1)), Room("east", 6, 1, 3, 2, (7, 1))),
            connections=(Connection((0, 1), 4, 2), Connection((0, 1), 5, 3, "door")),
        ),
        Layer("things", "tiles", things, "scatter", tiles=overlay, walkable=things == 0),
        Layer(
            "relief",
            "heights",
            relief,
            "heightmap",
            heights=HeightRange(-20.0, 180.5),
            grid_aligned=False,
        ),
    )
    return Level(
        "crypt",
        10,
        6,
        seed="moss",
        layers={layer.name: layer for layer in layers},
        objects=(
            PlacedObject(1, "stairs_up", 1, 1, {"to": 'the "upper"\ncrypt', "locked": True}),
            PlacedObject(2, "chest", 8, 1, {"gold": 25, "weight": 1.5}),
            PlacedObject(3, "chest", 7, 4, {"gold": 2**40, "owner": None}),
        ),
        properties={"music": "drip.ogg", "depth": 3, "dark": True},
        tileset=TilesetSource(TilesetOptions(autotile={"wall": "edges"})),
    )


def golden_files() -> dict[str, dict[str, bytes]]:
    """Return every file of the sample level, by target and name."""
    level = sample_level()
    files: dict[str, dict[str, bytes]] = {}
    for name, options in TARGET_OPTIONS.items():
        target = TARGETS.get(name)
        position = f"{name}/levels"
        exported = target.export(
            level, target.options(path=position, blob=False, **options), position
        )
        files[name] = {artifact.name: artifact.data for artifact in exported.artifacts}
    return files


def hashes(files: dict[str, dict[str, bytes]]) -> dict[str, dict[str, str]]:
    """Return the hash of every file."""
    return {
        target: {name: sha256(data).hexdigest() for name, data in sorted(named.items())}
        for target, named in files.items()
    }


def recorded() -> dict[str, dict[str, str]]:
    """Return the recorded hashes."""
    index: dict[str, dict[str, str]] = json.loads(INDEX.read_text()) if INDEX.exists() else {}
    return index


def difference(target: str, name: str, data: bytes) -> str:
    """Say how a file differs from its record: line by line where it is text."""
    path = FOLDER / target / name
    if not path.exists():
        return f"{target}/{name}: {len(data)} bytes"
    lines = difflib.unified_diff(
        path.read_text().splitlines(), data.decode().splitlines(), "recorded", "made", lineterm=""
    )
    return f"{target}/{name}:\n" + "\n".join(line[:160] for line in lines)


def main(arguments: list[str]) -> int:
    """Compare every file, print the differences, record them on request."""
    files = golden_files()
    now, before = hashes(files), recorded()
    count = 0
    for target, named in files.items():
        for name, data in named.items():
            if before.get(target, {}).get(name) != now[target][name]:
                count += 1
                print(difference(target, name, data))
    for target, names in before.items():
        for name in names.keys() - files.get(target, {}).keys():
            count += 1
            print(f"{target}/{name}: no longer made")
    print(f"{sum(map(len, files.values()))} files, {count} differ")
    if "--write" not in arguments:
        return 1 if count else 0
    shutil.rmtree(FOLDER, ignore_errors=True)
    for target, named in files.items():
        for name, data in named.items():
            if b"\0" not in data:
                path = FOLDER / target / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
    INDEX.write_text(json.dumps(now, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
