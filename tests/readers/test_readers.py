"""A reader written from the page of the format alone reads what Python reads."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporter
from cases import each_case
from engine_harness.exact import digest
from exporter.blob import write_blob
from exporter.model.level import Level
from sample_levels import a_level

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
VECTORS = HERE.parent / "vectors"
READER = HERE / "read_level.pl"
# Vectors of the `fast` profile, damaged so that even a small reader has to notice.
DAMAGED = ("signature", "major", "flags", "cut", "longer", "directory", "chunk-count", "overlap")


@pytest.fixture(scope="module")
def perl() -> str:
    command = shutil.which("perl")
    if command is None:
        pytest.skip("perl is not installed")
    modules = ["-MCompress::Raw::Zlib", "-MDigest::SHA", "-MJSON::PP", "-e1"]
    if subprocess.run([command, *modules], check=False, capture_output=True).returncode:
        pytest.skip("perl has no Compress::Raw::Zlib, Digest::SHA or JSON::PP")
    return command


def read(perl: str, blob: bytes, folder: Path) -> dict[str, Any]:
    path = folder / "level.lvb"
    path.write_bytes(blob)
    done = subprocess.run([perl, str(READER), str(path)], capture_output=True, check=True)
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def cells_reported(cells: np.ndarray | None) -> str:
    """Return the reader's digest of cells: of 32-bit numbers, of none without any."""
    return digest(np.zeros(0, "<u4") if cells is None else cells.astype("<u4"))


def expected(level: Level) -> dict[str, Any]:
    objects = [
        {"id": o.id, "name": o.name, "x": o.x, "y": o.y, "properties": dict(o.properties)}
        for o in level.objects
    ]
    return {
        "OBJS": objects or None,
        "PUZZ": [{"name": p.name, "kind": p.kind, "data": p.data} for p in level.puzzles.values()]
        or None,
        "layers": [
            {
                "cells": cells_reported(layer.cells),
                "walkable": cells_reported(layer.walkable),
                "masks": {name: cells_reported(mask) for name, mask in layer.masks.items()},
            }
            for layer in level.layers.values()
        ],
    }


def assert_read_alike(perl: str, level: Level, folder: Path) -> None:
    result = read(perl, write_blob(level, "fast"), folder)
    requested = expected(level)
    assert {key: result[key] for key in requested} == requested
    described = result["LEVL"]
    assert (described["name"], described["seed"]) == (level.name, level.seed)
    assert described["properties"] == dict(level.properties)
    assert [table["rows"] for table in result["TABL"] or []] == [
        [list(row) for row in table.rows] for table in level.tables.values()
    ]


def test_a_level_of_the_sample_project(perl: str, tmp_path: Path) -> None:
    (spec,) = (ROOT / "sample_project" / "levels").rglob("cavern.level.yaml")
    assert_read_alike(perl, exporter.build_level(exporter.load_level(spec)), tmp_path)


def test_a_level_with_something_of_everything_but_heights(perl: str, tmp_path: Path) -> None:
    level = a_level(width=400, height=300)
    tiles = {name: layer for name, layer in level.layers.items() if layer.kind == "tiles"}
    assert_read_alike(perl, a_level(width=400, height=300, layers=tiles), tmp_path)


@each_case("name", DAMAGED)
def test_a_damaged_container_is_refused(perl: str, name: str) -> None:
    command = [perl, str(READER), str(VECTORS / f"bad-{name}.lvb")]
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0


def test_the_reader_stays_small() -> None:
    lines = READER.read_text(encoding="utf-8").splitlines()
    assert sum(bool(line.strip()) and not line.startswith("#") for line in lines) <= 150
