"""Unity's reader of blobs, compiled as C# 7 and run under Mono.

It gives the manifest's values for the shared vectors, and Python's values for any level.
"""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from engine_harness import Mono
from engine_harness.folders import CORE, CSHARP, VECTORS, vector_manifest
from engine_harness.role_levels import level_with_roles, reported_for
from exporter.blob import read_blob, write_blob
from exporter.codecs.codec import Profile
from exporter.formats.heights.samples import real_heights
from exporter.model.level import HeightRange, Layer, Level, Tile
from hostile_values import REFUSED, with_text
from scripts import load_script

MANIFEST = vector_manifest()


@pytest.fixture(scope="module")
def reader(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader")
    programs = [CSHARP / name for name in ("JsonText.cs", "LevelSummary.cs", "ReadBlobs.cs")]
    return mono.compile([*CORE, *programs], folder / "read.exe")


def read_blobs(mono: Mono, reader: Path, files: list[tuple[Path, list[tuple[int, int]]]]) -> Any:
    """Return C#'s answer for each file, looking from the cells beside it."""
    lines = [f"{path}|{' '.join(f'{x},{y}' for x, y in viewers)}" for path, viewers in files]
    output = mono.run(reader, stdin="\n".join(lines) + "\n")
    return [json.loads(line) for line in output.splitlines()]


def told(value: Any) -> Any:
    """Return a value as the C# program prints it: decimals by their bits."""
    if isinstance(value, float):
        return {"bits": struct.pack(">d", value).hex()}
    if isinstance(value, dict):
        return {key: told(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [told(part) for part in value]
    return value


def seed_reported(seed: Any) -> Any:
    """Return a seed as C# prints it: an integer beyond 64 bits as text."""
    return str(seed) if isinstance(seed, int) and abs(seed) >= 1 << 63 else seed


def expected(level: dict[str, Any]) -> Any:
    """Return C#'s expected answer about a level of the manifest."""
    sight = level["visibility"]
    if sight:
        sight = {key: sight[key] for key in ("visible_from", "can_see")}
    return told({**level, "seed": seed_reported(level["seed"]), "visibility": sight})


def test_the_shared_vectors_are_read_as_the_manifest_says(mono: Mono, reader: Path) -> None:
    files = []
    for entry in MANIFEST["good"]:
        sights = [level["visibility"] for level in entry["levels"] if level["visibility"]]
        viewers = [(seen["x"], seen["y"]) for seen in sights[0]["visible_from"]] if sights else []
        files.append((VECTORS / entry["file"], viewers))
    answers = read_blobs(mono, reader, files)
    for entry, answer in zip(MANIFEST["good"], answers, strict=True):
        assert answer == [expected(level) for level in entry["levels"]], entry["file"]


def test_the_bad_vectors_are_refused(mono: Mono, reader: Path) -> None:
    answers = read_blobs(mono, reader, [(VECTORS / name, []) for name in MANIFEST["bad"]])
    for name, answer in zip(MANIFEST["bad"], answers, strict=True):
        assert "error" in answer, name


def test_what_is_no_value_is_refused(mono: Mono, reader: Path, tmp_path: Path) -> None:
    good = (VECTORS / "small-cave.lvb").read_bytes()
    files = []
    for number, text in enumerate(REFUSED.values()):
        path = tmp_path / f"{number}.lvb"
        path.write_bytes(with_text(good, text))
        files.append((path, []))
    answers = read_blobs(mono, reader, files)
    assert [
        name for name, answer in zip(REFUSED, answers, strict=True) if "error" not in answer
    ] == []


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    return load_script("vectors/make_vectors.py")


def random_layer(random: np.random.Generator, number: int, height: int, width: int) -> Layer:
    """Return tiles or heights with long runs, patches, slopes or noise."""
    y, x = np.indices((height, width))
    kind = int(random.integers(5))
    first, last = int(random.integers(2, 30)), int(random.integers(2, 9))
    cells = {
        0: (x // first + y // last) % int(random.integers(2, 40)),
        1: random.random((height, width)) < random.random(),
        2: (x * x // first + y * last) % 65536,
        3: random.integers(0, int(random.choice([3, 200, 256, 5000])), (height, width)),
        4: np.where((x // last + y // first) % 3 == 0, 7, random.integers(0, 4, (height, width))),
    }[kind]
    wide = np.uint16 if int(cells.max(initial=0)) > 255 or number % 3 == 0 else np.uint8
    if kind == 2:
        walkable = cells >= 9000 if number % 2 else None
        heights = HeightRange(-1.5, 99.0, "feet")
        grid = cells.astype(np.uint16)
        return Layer(f"layer {number}", "heights", grid, "", walkable=walkable, heights=heights)
    layer = Layer(f"layer {number}", "tiles", cells.astype(wide), "", tiles=LEGEND)
    walkable = layer.lookup([tile.walkable for tile in LEGEND])
    if number % 4 == 1:
        walkable = random.random((height, width)) < 0.5
    return replace(layer, walkable=walkable)


LEGEND = tuple(
    Tile(number, f"tile {number}", number % 2 == 0, number % 3 == 0, "#102030")
    for number in range(12)
)


def test_any_level_is_read_as_python_reads_it(
    mono: Mono, reader: Path, maker: ModuleType, tmp_path: Path
) -> None:
    random = np.random.default_rng(20)
    files, requested = [], []
    for number in range(24):
        width, height = (int(side) for side in random.integers(1, 90, 2))
        if number % 6 == 0:
            width, height = width * 7, height * 6
        layers = [random_layer(random, index, height, width) for index in range(4)]
        level = Level(
            f"level {number}", width, height, layers={layer.name: layer for layer in layers}
        )
        path = tmp_path / f"{number}.lvb"
        profile: Profile = "fast" if number % 3 == 0 else "small"
        path.write_bytes(write_blob(level, profile))
        files.append((path, []))
        requested.append([expected(json.loads(json.dumps(maker.expected(level))))])
    assert read_blobs(mono, reader, files) == requested


def test_the_masks_of_a_level_are_those_of_python(mono: Mono, tmp_path: Path) -> None:
    random = np.random.default_rng(21)
    levels = [level_with_roles(random, f"level {number}") for number in range(60)]
    paths = [tmp_path / f"{number}.lvb" for number in range(len(levels))]
    for path, level in zip(paths, levels, strict=True):
        path.write_bytes(write_blob(level))
    programs = [CSHARP / "AskMasks.cs", CSHARP / "JsonText.cs"]
    program = mono.compile([*CORE, *programs], tmp_path / "ask.exe")
    output = mono.run(program, stdin="".join(f"{path}\n" for path in paths))
    for level, answer in zip(levels, output.splitlines(), strict=True):
        assert json.loads(answer) == reported_for(level)
    # The levels must distinguish masks of several layers from masks of one.
    assert sum(len(level.play_layers()) > 1 and level.walkable().any() for level in levels) > 8


def test_layers_can_be_read_part_by_part(mono: Mono, tmp_path: Path) -> None:
    program = mono.compile([*CORE, CSHARP / "ReadParts.cs"], tmp_path / "parts.exe")
    assert mono.run(program, VECTORS / "large.lvb").splitlines() == [
        "ground 4 True",
        "picture 4 True",
        "worn 4 True",
    ]
    assert "bands 2 True" in mono.run(program, VECTORS / "standalone-tiles.lvb")


def test_heights_are_the_real_ones_to_the_last_bit(mono: Mono, tmp_path: Path) -> None:
    level = read_blob((VECTORS / "relief.lvb").read_bytes())
    source = tmp_path / "Heights.cs"
    source.write_text(HEIGHTS, encoding="utf-8")
    program = mono.compile([*CORE, source], tmp_path / "heights.exe")
    answers = mono.run(program, VECTORS / "relief.lvb").splitlines()
    for answer, layer in zip(answers, level.layers.values(), strict=True):
        with np.errstate(over="ignore"):  # one layer asks for heights that floats cannot hold
            heights = real_heights(layer)
        assert answer == heights.astype("<f4").tobytes().hex()


def test_limits_refuse_what_an_honest_file_asks_for(mono: Mono, tmp_path: Path) -> None:
    source = tmp_path / "Limited.cs"
    source.write_text(LIMITED, encoding="utf-8")
    program = mono.compile([*CORE, source], tmp_path / "limited.exe")
    wide = tmp_path / "wide.lvb"
    wide.write_bytes(write_blob(Level("wide", 1 << 23, 1 << 23)))
    assert mono.run(program, VECTORS / "small-cave.lvb", wide).splitlines() == [
        "a layer of 40 x 21 cells is over the limit",
        "the level is over the limit of bytes",
        "the level is over the limit of steps",
        "the blob says it has 4 chunks, more than fit",
        "the values are over the limit of 20",
        "a zlib stream is over the limit of 40 bytes",
        "values are nested deeper than 2",
        "a radius of 8 is over the limit",
        *2 * ["a level of 8388608 x 8388608 cells is over the limit"],
    ]


LIMITED = """
using System;
using System.IO;
using LevelExporter;

public static class Limited
{
    public static void Main(string[] arguments)
    {
        byte[] bytes = File.ReadAllBytes(arguments[0]);
        Try(bytes, new BlobLimits { MostCells = 839 });
        Try(bytes, new BlobLimits { MostBytes = 839 });
        Try(bytes, new BlobLimits { MostSteps = 4095 });
        Try(bytes, new BlobLimits { MostChunks = 3 });
        Try(bytes, new BlobLimits { MostValues = 20 });
        Try(bytes, new BlobLimits { MostText = 40 });
        Try(bytes, new BlobLimits { Deepest = 2 });
        Try(bytes, new BlobLimits { LargestRadius = 7 });
        // A file may say any size, and have no layer of it.
        LevelBlob wide = LevelBlob.Open(arguments[1]);
        Try(() => wide.Walkable());
        Try(() => wide.Opaque());
    }

    private static void Try(byte[] bytes, BlobLimits limits)
    {
        Try(() => LevelBlob.FromBytes(bytes, limits).Verify());
    }

    private static void Try(Action read)
    {
        try
        {
            read();
            Console.WriteLine("read");
        }
        catch (LevelBlobException error)
        {
            Console.WriteLine(error.Message);
        }
    }
}
"""


HEIGHTS = """
using System;
using LevelExporter;

public static class Heights
{
    public static void Main(string[] arguments)
    {
        LevelBlob level = LevelBlob.Open(arguments[0]);
        foreach (LevelLayer layer in level.Layers)
        {
            float[] heights = level.Heights(layer.Name);
            var bytes = new byte[4 * heights.Length];
            Buffer.BlockCopy(heights, 0, bytes, 0, bytes.Length);
            Console.WriteLine(BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant());
        }
    }
}
"""
