"""Missions in blobs are read back whole, and broken ones are refused."""

from __future__ import annotations

from typing import Any

import pytest

from cases import each_case
from exporter.blob import read_blob, write_blob
from exporter.blob._descriptions import describe_level, level_fields
from exporter.model.errors import BlobError
from exporter.model.level import Level
from exporter.model.mission import Lock, Mission

MISSION = Mission(
    "entrance",
    "throne",
    (Lock("red", "key", ((1, 0), (1, 1))), Lock("drop", "one_way", ((3, 0),), ((2, 0),))),
    ("walk 3 steps, reach the goal at [4, 0]",),
    states=7,
)


def test_mission_comes_back_from_a_blob() -> None:
    assert read_blob(write_blob(Level("keep", 5, 2, mission=MISSION))).mission == MISSION


def test_a_level_without_a_mission_writes_none() -> None:
    assert "mission" not in describe_level(Level("keep", 5, 2), [])
    assert read_blob(write_blob(Level("keep", 5, 2))).mission is None


@each_case(
    "key, value",
    [
        ("start", 5),
        ("states", "many"),
        ("walkthrough", [5]),
        ("locks", [{"name": "red", "kind": "riddle", "cells": [], "opened_from": []}]),
        ("locks", [{"name": "red", "kind": "key", "cells": [[1, "x"]], "opened_from": []}]),
        ("locks", ["red"]),
    ],
)
def test_what_is_no_mission_is_refused(key: str, value: Any) -> None:
    described = describe_level(Level("keep", 5, 2, mission=MISSION), [])
    described["mission"][key] = value
    with pytest.raises(BlobError):
        level_fields(described)
