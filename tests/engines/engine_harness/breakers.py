"""Runs readers on damaged blobs, the first whole: each ends in `error`, `same` or `other`."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path

from engine_harness.folders import CORE, CSHARP, JAVASCRIPT, JAVASCRIPT_READER
from engine_harness.mono import Mono
from engine_harness.node import Node

SLOWEST_MILLISECONDS = 60_000
MOST_MEGABYTES = {"csharp": 1200, "javascript": 700}


def write_blobs(path: Path, blobs: Iterable[bytes]) -> Path:
    """Write blobs into one file, each after its length."""
    path.write_bytes(b"".join(struct.pack("<I", len(blob)) + blob for blob in blobs))
    return path


def compile_breaker(mono: Mono, folder: Path) -> Path:
    """Return the program that `break_in_csharp` runs."""
    names = ("JsonText.cs", "LevelSummary.cs", "BreakBlobs.cs")
    return mono.compile([*CORE, *(CSHARP / name for name in names)], folder / "break.exe")


def break_in_csharp(mono: Mono, breaker: Path, blobs: list[bytes]) -> list[str]:
    """Return the result of Unity's reader for each blob, in bounded time and memory."""
    printed = mono.run(breaker, write_blobs(breaker.with_suffix(".blobs"), blobs))
    *answers, slowest, peak = printed.splitlines()
    assert len(answers) == len(blobs)
    assert int(slowest.removeprefix("slowest ")) < SLOWEST_MILLISECONDS
    assert int(peak.removeprefix("peak ")) < MOST_MEGABYTES["csharp"]
    assert answers[0] == "same"
    return answers


def break_in_javascript(
    node: Node, folder: Path, blobs: list[bytes], limits: dict[str, int] | None = None
) -> list[str]:
    """Return the result of the JavaScript reader for each blob, in bounded time and memory."""
    file = write_blobs(folder / "broken.blobs", blobs)
    question = {"module": JAVASCRIPT_READER.as_uri(), "file": str(file), "limits": limits or {}}
    reported = node.query(JAVASCRIPT / "break_blobs.mjs", question)
    assert len(reported["answers"]) == len(blobs)
    assert reported["slowest"] < SLOWEST_MILLISECONDS
    assert reported["peak"] < MOST_MEGABYTES["javascript"]
    return list(reported["answers"])
