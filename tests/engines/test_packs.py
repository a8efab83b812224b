"""Packs in the engines' languages: equal levels and equal answers, and damaged ones refused."""

from __future__ import annotations

import json
import random
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from engine_harness import Godot, Mono
from engine_harness.folders import (
    CORE,
    CSHARP,
    JAVASCRIPT_READER,
    VECTORS,
    copy_addon,
    vector_manifest,
)
from engine_harness.node import Node

PACKS = vector_manifest()["packs"]
GODOT_SCRIPT = Path(__file__).parent / "engine_harness" / "read_packs.gd"
NODE_SCRIPT = Path(__file__).parent / "javascript" / "read_packs.mjs"


def question(entry: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return what is asked about a pack."""
    asked = {key: [item for item, _ in entry[key]] for key in ("find", "daily", "shuffled")}
    return {"path": str(path), "metrics": list(entry["metrics"]), **asked}


def expected(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the answer that the manifest has."""
    return {
        "error": "",
        "is_same": True,
        "name": entry["name"],
        "seeds": entry["seeds"],
        "metrics": {
            name: struct.pack(f"<{len(values)}d", *values).hex()
            for name, values in entry["metrics"].items()
        },
        "levels": [
            {
                "cells": level["cells"],
                "objects": [item[:4] for item in level["objects"]],
            }
            for level in entry["levels"]
        ],
        **{key: [answer for _, answer in entry[key]] for key in ("find", "daily", "shuffled")},
    }


def damaged(folder: Path) -> list[Path]:
    """Return packs with damage in the header, the table of contents and everywhere."""
    good = (VECTORS / PACKS[0]["file"]).read_bytes()
    _, shared, columns = struct.unpack_from("<3I", good, 12)
    table = 32 + shared + columns
    numbers = random.Random(11)
    paths = []
    for turn in range(60):
        data = bytearray(good)
        low, high = ((8, 28), (table, table + 52), (32, len(data)))[turn % 3]
        data[numbers.randrange(low, high)] ^= 1 << numbers.randrange(8)
        data[28:32] = struct.pack("<I", zlib.crc32(data[:28]))
        if turn % 10 == 9:
            data = data[: numbers.randrange(len(data))]
        paths.append(folder / f"{turn}.lvp")
        paths[-1].write_bytes(data)
    return paths


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = godot.new_project(tmp_path_factory.mktemp("packs"))
    copy_addon(folder)
    return folder


def ask_godot(godot: Godot, project: Path, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return godot.query(project, GODOT_SCRIPT, asked, allow_errors=True)


def ask_node(node: Node, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    module = JAVASCRIPT_READER.with_name("level-pack.js").as_uri()
    return node.query(NODE_SCRIPT, {"module": module, "files": asked})


@pytest.fixture(scope="module")
def reader(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> Path:
    programs = [CSHARP / name for name in ("JsonText.cs", "ReadPacks.cs")]
    return mono.compile([*CORE, *programs], tmp_path_factory.mktemp("reader") / "read.exe")


def ask_mono(mono: Mono, reader: Path, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    keys = ("metrics", "find", "daily", "shuffled")
    lines = [
        "|".join([item["path"], *(";".join(map(str, item[k])) for k in keys)]) for item in asked
    ]
    output = mono.run(reader, stdin="\n".join(lines) + "\n")
    return [json.loads(line) for line in output.splitlines()]


def test_csharp_answers_as_the_manifest_says(mono: Mono, reader: Path) -> None:
    answers = ask_mono(mono, reader, [question(entry, VECTORS / entry["file"]) for entry in PACKS])
    assert answers == [expected(entry) for entry in PACKS]


def test_csharp_refuses_damaged_packs(mono: Mono, reader: Path, tmp_path: Path) -> None:
    asked = [question(PACKS[0], path) for path in damaged(tmp_path)]
    refused_or_same(ask_mono(mono, reader, asked))


def test_godot_answers_as_the_manifest_says(godot: Godot, project: Path) -> None:
    answers = ask_godot(
        godot, project, [question(entry, VECTORS / entry["file"]) for entry in PACKS]
    )
    assert answers == [expected(entry) for entry in PACKS]


def test_javascript_answers_as_the_manifest_says(node: Node) -> None:
    answers = ask_node(node, [question(entry, VECTORS / entry["file"]) for entry in PACKS])
    assert answers == [expected(entry) for entry in PACKS]


def refused_or_same(answers: list[dict[str, Any]]) -> None:
    """Check that damaged packs give an error, or the undamaged levels."""
    good = expected(PACKS[0])["levels"]
    refused = 0
    for answer in answers:
        refused += bool(answer["error"])
        for level, same in zip(answer.get("levels", ()), good, strict=False):
            assert "error" in level or level == same
    assert refused > len(answers) // 2


def test_godot_refuses_damaged_packs(godot: Godot, project: Path, tmp_path: Path) -> None:
    asked = [question(PACKS[0], path) for path in damaged(tmp_path)]
    refused_or_same(ask_godot(godot, project, asked))


def test_javascript_refuses_damaged_packs(node: Node, tmp_path: Path) -> None:
    refused_or_same(ask_node(node, [question(PACKS[0], path) for path in damaged(tmp_path)]))
