"""The legend of objects: colours by the spec's names, counts, and demands as they are written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from exporter.build.build import Build
from exporter.formats.images.sprites import KINDS
from exporter.reading.reader import parse_level
from exporter.studio.building import Memory, build_displayed
from exporter.studio.frames import read_frame
from exporter.studio.object_legend import build_order, legend_of, object_order
from exporter.studio.seed_pictures import SmallPictures
from exporter.studio.tasks import BuildTask

SPEC = """\
size: [32, 24]
seed: 7
layers:
  ground: {generator: cellular_caves, wall_percent: 40}
objects:
  - {name: torch, after_others: true, near: start}
  - {name: pit, clear_radius: 20, required: false}
  - {name: start}
  - {name: chest, count: 3, spacing: 5, far_from: [start], properties: {gold: 4}}
  - {name: chest, count: 9, spacing: 64, required: false}
"""


def built(text: str = SPEC) -> Build:
    spec = parse_level(text.encode(), "cave.level.yaml", Path())
    build = Build(spec)
    build.prepare()
    return build


def test_a_name_keeps_its_colour_although_another_one_finds_no_position() -> None:
    build = built()
    assert "pit" not in {item.name for item in build.groups.all}
    # Groups after all others have the last ids, so the last colours.
    assert build_order(build) == ("pit", "start", "chest", "torch")
    colors = {item["name"]: item["color"] for item in legend_of(build)}
    assert colors["start"] == "#{:02x}{:02x}{:02x}".format(*KINDS[1][1])


def test_pictures_of_objects_have_the_colours_of_their_names() -> None:
    text = SPEC.replace("name: start}\n", "name: start}\n  - {name: relic}\n  - {name: idol}\n")
    displayed = build_displayed(BuildTask(text.encode(), "cave.level.yaml", Path(), None), Memory())
    header, _ = read_frame(displayed.message)
    colors = {item["name"]: item["color"] for item in header["legend"]}
    assert {item["name"]: item["placed"] for item in header["legend"]}["pit"] == 0
    first = 4 + int.from_bytes(displayed.message[:4], "little")
    for name in ("relic", "idol"):  # nothing else is known of them, so they are gems
        at = first + header["sprites"][name]["at"]
        pixels = np.frombuffer(displayed.message, np.uint8, 16 * 16 * 4, at).reshape(-1, 4)[:, :3]
        assert f"{colors[name]}" in {"#{:02x}{:02x}{:02x}".format(*pixel) for pixel in pixels}


def test_each_tile_has_the_picture_that_it_has_among_its_like() -> None:
    spec = BuildTask(SPEC.encode(), "cave.level.yaml", Path(), None)
    header, _ = read_frame(build_displayed(spec, Memory()).message)
    (floor,), (wall,) = header["layers"][0]["pictures"]
    assert floor != wall


def test_names_that_only_layers_bring_come_last() -> None:
    build = built()
    altar = replace(build.groups.all[0], name="altar")
    assert object_order(build.spec, [altar, *build.groups.all])[-1] == "altar"
    assert build_order(build) == object_order(build.spec, ())


def test_the_legend_counts_what_was_requested_for_and_what_lies() -> None:
    counts = {item["name"]: (item["placed"], item["asked"]) for item in legend_of(built())}
    assert counts["pit"] == (0, 1)
    assert counts["start"] == (1, 1)
    assert counts["chest"][1] == 12
    assert 3 <= counts["chest"][0] < 12


def test_the_demands_of_each_group_are_those_that_are_written() -> None:
    first, second = next(item for item in legend_of(built()) if item["name"] == "chest")["groups"]
    assert [(item["name"], item["text"]) for item in first["demands"]] == [
        ("spacing", "5"),
        ("far_from", "[start]"),
    ]
    assert (first["placed"], first["asked"]) == (3, 3)
    assert second["demands"][0] == {"name": "spacing", "text": "64"}
    assert second["placed"] < second["asked"] == 9


def test_names_of_another_level_come_first() -> None:
    legend = legend_of(built(), ["start", "rat"])
    assert [item["name"] for item in legend] == ["start", "rat", "pit", "chest", "torch"]
    assert legend[1]["placed"] == legend[1]["asked"] == 0


def test_the_small_pictures_of_a_sheet_have_the_legends_colours() -> None:
    build = built()
    level, _ = build.level()
    picture = SmallPictures().of(level, build_order(build))
    torch = next(item for item in level.objects if item.name == "torch")
    assert np.array_equal(picture[torch.y, torch.x], KINDS[3][1])
