"""Comparing in the studio: every kind of other level, as `exporter diff` compares them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from exporter.build.build import Build
from exporter.explore.comparison import compare_levels
from exporter.explore.comparison.picture import changed_cells, layer_masks
from exporter.reading.reader import parse_level
from level_differences import diff
from studio_tabs import CAVE, Studio, Tab, places_of

LEVEL = "levels/cave.level.yaml"
THINGS = CAVE.replace("- {name: start}", "- {name: start}\n  - {name: chest, count: 3, spacing: 4}")
LEVELS = {"cave": THINGS}
GIT = ["git", "-c", "user.name=test", "-c", "user.email=test@test", "-c", "core.autocrlf=false"]


def compared(tab: Tab, **expected: Any) -> dict[str, Any]:
    tab.send(do="compare", number=5, **{"with": expected})
    event = tab.wait_for("comparison")
    assert event["number"] == 5
    return event


def same_counts(result: dict[str, Any], *sides: str | Path) -> None:
    """Check that the page gets the same comparison as the command prints."""
    assert result["equal"] or result["metrics"]
    expected = [word for name in result["metrics"] for word in ("--metric", name)]
    document = diff(*sides, *expected)
    for key, value in result.items():
        if key in ("was", "now"):
            assert {**document[key], **value} == document[key]
        else:
            assert value == document[key], key


def commit(folder: Path) -> None:
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*GIT, *command], cwd=folder, check=True, capture_output=True)


def test_another_seed_is_compared_as_the_command_does(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    event = compared(tab, seed=8)
    assert (event["label"], event["problem"], event["lines"]) == ("seed 8", None, [])
    same_counts(event["difference"], f"{project / LEVEL}@8", project / LEVEL)
    was, now = (
        Build(parse_level(THINGS.encode(), "cave.level.yaml").with_seed(seed)).level()[0]
        for seed in (8, 7)
    )
    difference = compare_levels(was, now, [])
    arrays = of_event(event, tab)
    assert np.array_equal(arrays["changed"], changed_cells(difference))
    for name, mask in layer_masks(difference):
        assert np.array_equal(arrays["masks"][name], mask)
    assert event["other"]["seed"] == 8
    assert np.array_equal(arrays["cells"], was.layers["ground"].cells)
    assert [(item["name"], item["x"], item["y"]) for item in event["other"]["objects"]] == [
        (item.name, item.x, item.y) for item in was.objects
    ]


def of_event(event: dict[str, Any], tab: Tab) -> dict[str, Any]:
    """The arrays of a comparison by their kind."""
    by_position = dict(zip(places_of(event), tab.arrays, strict=True))
    return {
        "changed": by_position[event["changed"]["at"]],
        "masks": {name: by_position[item["at"]] for name, item in event["masks"].items()},
        "cells": by_position[event["other"]["layers"][0]["cells"]["at"]],
    }


def test_the_saved_file_is_compared_and_followed(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    assert compared(tab, saved=True)["difference"]["equal"]
    tab.set(["layers", "ground", "wall_percent"], 44)
    event = tab.wait_for("comparison")
    changed = THINGS.replace("wall_percent: 40", "wall_percent: 44")
    (project / "other.level.yaml").write_text(changed)
    result = event["difference"]
    document = diff(project / LEVEL, project / "other.level.yaml")
    assert result["layers"] == document["layers"]
    assert result["objects"] == document["objects"]
    assert [item for item in event["lines"] if item["side"] != "both"] == [
        {"side": side, "text": f"  ground: {{generator: cellular_caves, wall_percent: {value}}}"}
        for side, value in (("theirs", 40), ("mine", 44))
    ]
    # Saved, the draft is the file.
    tab.send(do="save")
    assert tab.wait_for("comparison")["difference"]["equal"]
    assert (project / LEVEL).read_text() == changed


def test_hand_edits_are_part_of_what_is_compared(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    compared(tab, saved=True)
    tab.send(do="draw", layer="ground", tile="floor", cells=[[0, 0], [1, 0]], number=1)
    event = tab.wait_for("comparison")
    assert event["difference"]["layers"]["changed"][0]["cells"]["changed"] == 2
    assert event["lines"] == []
    assert {item["side"] for item in event["editLines"]} == {"mine"}


def test_the_committed_version_with_the_files_it_read(studio: Studio, project: Path) -> None:
    picture = project / "levels" / "plan.png"
    pixels = np.zeros((3, 5), np.uint8)
    pixels[1, 1:4] = 255
    Image.fromarray(pixels).save(picture)
    layer = "{generator: from_image, image: plan.png}"
    (project / LEVEL).write_text(f"size: [5, 3]\nlayers:\n  ground: {layer}\n")
    commit(project)
    pixels[1, 2] = 0
    Image.fromarray(pixels).save(picture)
    tab = studio.opened()
    event = compared(tab, revision="HEAD")
    assert event["label"].startswith("HEAD (")
    same_counts(event["difference"], project / LEVEL)
    assert event["difference"]["layers"]["changed"][0]["cells"]["changed"] == 1


def test_what_git_does_not_have_is_reported(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    problem = compared(tab, revision="HEAD")["problem"]
    assert "there is no committed version to compare with" in problem
    commit(project)
    assert compared(tab, revision="HEAD")["problem"] is None
    assert "no revision 'nowhere'" in compared(tab, revision="nowhere")["problem"]
    assert "no revision '--all'" in compared(tab, revision="--all")["problem"]
    (project / "levels" / "new.level.yaml").write_text(CAVE)
    again = studio.tab()
    while "levels/new.level.yaml" not in again.levels:
        again.levels = {item["name"]: item["id"] for item in again.wait_for("levels")["levels"]}
    again.displayed_level("open", level=again.levels["levels/new.level.yaml"])
    assert "is not in the commit HEAD" in compared(again, revision="HEAD")["problem"]


def test_another_level_of_another_size_is_compared_and_followed(
    studio: Studio, project: Path
) -> None:
    other = project / "levels" / "other.level.yaml"
    other.write_text(CAVE.replace("[32, 24]", "[20, 30]"))
    tab = studio.tab()
    while "levels/other.level.yaml" not in tab.levels:
        tab.levels = {item["name"]: item["id"] for item in tab.wait_for("levels")["levels"]}
    tab.displayed_level("open", level=tab.levels[LEVEL])
    event = compared(tab, level=tab.levels["levels/other.level.yaml"])
    same_counts(event["difference"], other, project / LEVEL)
    assert event["difference"]["compared"] == [20, 24]
    assert (event["other"]["width"], event["other"]["height"]) == (20, 30)
    other.write_text("layers: 7\n")
    assert "'size' is missing" in tab.wait_for("comparison")["problem"]
    other.write_text(CAVE.replace("[32, 24]", "[21, 30]"))
    assert tab.wait_for("comparison")["difference"]["compared"] == [21, 24]
    other.unlink()
    assert tab.wait_for("comparison")["problem"] == "cannot be read (No such file or directory)"


def test_what_was_preserved_is_compared(studio: Studio) -> None:
    tab = studio.opened()
    tab.set(["seed"], 12)
    tab.send(do="keep")
    assert tab.wait_for("kept")["label"] == f"{LEVEL} as kept"
    assert compared(tab, kept=True)["difference"]["equal"]
    tab.set(["seed"], 13)
    result = tab.wait_for("comparison")["difference"]
    assert (result["was"]["seed"], result["now"]["seed"]) == (12, 13)
    assert not result["equal"]


def test_without_a_request_nothing_is_compared(studio: Studio) -> None:
    tab = studio.opened()
    compared(tab, seed=9)
    tab.send(do="compare", number=6, **{"with": None})
    tab.set(["seed"], 21)
    tab.send(do="overlays")
    while (event := tab.next())["event"] != "overlays":
        assert event["event"] != "comparison"


MALFORMED: list[tuple[object, str]] = [
    ("saved", "`with` of compare"),
    ({}, "`with` of compare"),
    ({"saved": True, "kept": True}, "`with` of compare"),
    ({"saved": 1}, "`with` of compare"),
    ({"path": "/etc/passwd"}, "`with` of compare"),
    ({"revision": ""}, "`with` cannot be"),
    ({"revision": ["HEAD"]}, "`with` of compare"),
    ({"revision": "x" * 201}, "`with` cannot be"),
    ({"revision": "\ud800"}, "`with` cannot be"),
    ({"seed": True}, "`with` of compare"),
    ({"seed": 1.5}, "`with` of compare"),
    ({"seed": 1 << 70}, "`with` cannot be"),
    ({"level": "../../etc/passwd"}, "there is no such level"),
    ({"level": {}}, "`with` of compare"),
    ({"kept": True}, "no kept draft to compare with"),
]


def test_malformed_requests_are_refused(studio: Studio) -> None:
    tab = studio.opened()
    for expected, why in MALFORMED:
        tab.send(do="compare", number=1, **{"with": expected})
        assert why in tab.wait_for("refused")["text"], expected
    for number in (-1, 1.5, "1", True, 1 << 60):
        tab.send(do="compare", number=number, **{"with": {"saved": True}})
        assert "`number`" in tab.wait_for("refused")["text"], number
    # And the tab works on.
    assert compared(tab, seed=8)["problem"] is None


def test_before_a_level_is_open_its_views_are_refused(studio: Studio) -> None:
    tab = studio.tab()
    compare = {"do": "compare", "number": 1, "with": {"saved": True}}
    for message in (compare, {"do": "keep"}, {"do": "steps", "layer": ""}):
        tab.send(**message)
        assert tab.wait_for("refused")["text"] == "no level is open"


def test_a_name_of_a_revision_that_is_no_text_for_git_is_reported(
    studio: Studio, project: Path
) -> None:
    commit(project)
    tab = studio.opened()
    for name in ("a\0b", "-h", "HEAD:levels", "HEAD..HEAD"):
        assert compared(tab, revision=name)["problem"], name


def test_a_seed_that_the_random_stream_refuses_is_reported(studio: Studio, project: Path) -> None:
    text = "rng: dotnet\nsize: [20, 20]\nseed: 3\nlayers:\n  ground: {generator: visited_caves}\n"
    (project / LEVEL).write_text(text)
    tab = studio.opened()
    assert "32 bits" in compared(tab, seed=1 << 40)["problem"]
