"""Small specs for searches: built in less than a millisecond."""

from __future__ import annotations

from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import parse_level

CAVES = b"""size: [20, 14]
layers:
  ground: {generator: cellular_caves, wall_percent: 42, connect: guaranteed}
"""
# Fails for many seeds: there is no room for all chests.
CROWDED = b"""size: [12, 10]
layers:
  ground: {generator: cellular_caves, wall_percent: 48, connect: guaranteed}
objects:
  - {name: chest, count: 4, spacing: 4}
"""


def caves(extra: bytes = b"") -> LevelSpec:
    return parse_level(CAVES + extra, "caves.level.yaml")


def crowded(extra: bytes = b"") -> LevelSpec:
    return parse_level(CROWDED + extra, "crowded.level.yaml")


def optional_chests() -> LevelSpec:
    content = CROWDED.replace(b"spacing: 4", b"spacing: 4, required: false")
    return parse_level(content, "crowded.level.yaml")
