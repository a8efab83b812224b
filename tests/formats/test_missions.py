"""What files of other programs say of a mission."""

from __future__ import annotations

import json

from exporter.formats.godot.objects import level_metadata
from exporter.formats.godot.values import Vector2i
from exporter.formats.tiled.map import level_properties
from exporter.model.level import Level
from exporter.model.mission import Lock, Mission

MISSION = Mission(
    "entrance", "throne", (Lock("gate", "shortcut", ((2, 0),), ((3, 0),)),), ("walk",)
)


def test_map_of_tiled_has_the_mission_as_text() -> None:
    document = json.loads(str(level_properties(Level("keep", 4, 1, mission=MISSION))["mission"]))
    assert document["goal"] == "throne"
    assert document["locks"] == [
        {"name": "gate", "kind": "shortcut", "cells": [[2, 0]], "opened_from": [[3, 0]]}
    ]
    assert "mission" not in level_properties(Level("keep", 4, 1))


def test_scene_of_godot_has_the_mission_as_metadata() -> None:
    result = level_metadata(Level("keep", 4, 1, mission=MISSION), {})["mission"]
    assert result == {
        "start": "entrance",
        "goal": "throne",
        "locks": (
            {
                "name": "gate",
                "kind": "shortcut",
                "cells": (Vector2i(2, 0),),
                "opened_from": (Vector2i(3, 0),),
            },
        ),
        "walkthrough": ("walk",),
    }
    assert "mission" not in level_metadata(Level("keep", 4, 1), {})
