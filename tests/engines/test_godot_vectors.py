"""The shared blobs, read by the addon's GDScript in real Godot: every one as its manifest says."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from engine_harness import Godot
from engine_harness.exact import digest, exact
from engine_harness.folders import VECTORS, copy_addon, vector_manifest
from engine_harness.godot import READ_BLOBS
from exporter.blob import read_blob
from exporter.blob._grids import parts
from hostile_values import REFUSED, with_text

MANIFEST = vector_manifest()
NOTHING = hashlib.sha256(b"").hexdigest()


@pytest.fixture(scope="module")
def answers(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The reader's answer about every vector, all read in one run."""
    project = godot.new_project(tmp_path_factory.mktemp("vectors"))
    copy_addon(project)
    files = [
        {"path": str(VECTORS / entry["file"]), "viewers": [*map(viewers, entry["levels"])]}
        for entry in MANIFEST["good"]
    ]
    files += [{"path": str(VECTORS / name), "viewers": []} for name in MANIFEST["bad"]]
    good = (VECTORS / "small-cave.lvb").read_bytes()
    for name, text in REFUSED.items():
        path = project / f"{name}.lvb"
        path.write_bytes(with_text(good, text))
        files.append({"path": str(path), "viewers": []})
    # A damaged zlib stream makes the engine itself complain, beside our own error.
    reported = godot.query(project, READ_BLOBS, files, allow_errors=True)
    return {Path(file["path"]).name: answer for file, answer in zip(files, reported, strict=True)}


def viewers(level: dict[str, Any]) -> list[list[int]]:
    """Return the cells whose field of view is in the manifest."""
    visibility = level["visibility"] or {"visible_from": []}
    return [[view["x"], view["y"]] for view in visibility["visible_from"]]


@pytest.mark.parametrize("entry", MANIFEST["good"], ids=lambda entry: entry["file"])
def test_a_vector_decodes_to_what_the_manifest_says(
    answers: dict[str, Any], entry: dict[str, Any]
) -> None:
    answer = answers[entry["file"]]
    assert answer["error"] == ""
    assert len(answer["levels"]) == len(entry["levels"])
    for result, level in zip(answer["levels"], entry["levels"], strict=True):
        assert result["name"] == level["name"]
        assert result["size"] == [level["width"], level["height"]]
        for part in ("properties", "objects", "tables", "puzzles"):
            assert result[part] == exact(level[part])
        for layer, expected in zip(result["layers"], level["layers"], strict=True):
            same_layer(layer, expected)
        assert result["visibility"] is (level["visibility"] is not None)
        if level["visibility"]:
            requested_views = [view["cells"] for view in level["visibility"]["visible_from"]]
            assert result["seen"] == requested_views


def same_layer(result: dict[str, Any], expected: dict[str, Any]) -> None:
    assert (result["name"], result["kind"]) == (expected["name"], expected["kind"])
    assert result["size"] == [expected["width"], expected["height"]]
    assert result["tiles"] == exact(expected["tiles"])
    if expected["heights"]:
        minimum, maximum, units = expected["heights"]
        assert result["range"] == exact({"minimum": minimum, "maximum": maximum, "units": units})
    assert result["bytes"] == expected["cells"]
    assert result["role"] == expected["role"]
    assert result["connections"] == expected["connections"]
    assert result["masks"] == expected["masks"]
    assert result["walkable"] == (expected["walkable"] or NOTHING)
    assert result["opaque"] == expected["opaque"]


@pytest.mark.parametrize("name", MANIFEST["bad"])
def test_a_bad_vector_is_refused(answers: dict[str, Any], name: str) -> None:
    assert answers[name]["error"] != ""


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_value_is_refused(answers: dict[str, Any], name: str) -> None:
    assert "LEVL" in answers[f"{name}.lvb"]["error"]


def test_a_part_is_read_alone(answers: dict[str, Any]) -> None:
    for name in ("large.lvb", "rooms.lvb", "rooms-independent.lvb"):
        level = read_blob((VECTORS / name).read_bytes())
        for layer in answers[name]["levels"][0]["layers"]:
            cells = level.layers[layer["name"]].cells.astype("<i4")
            assert layer["parts"] == [
                [x, y, width, height, digest(cells[y : y + height, x : x + width])]
                for y, height in parts(cells.shape[0])
                for x, width in parts(cells.shape[1])
            ]
