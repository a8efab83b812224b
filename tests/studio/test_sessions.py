"""A tab's actions on a level: change, undo, save, follow the file, come back."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

import exporter
from studio_tabs import CAVE, Studio, Tab

LEVEL = "levels/cave.level.yaml"


def text_of(tab: Tab, do: str, **message: object) -> str:
    tab.send(do=do, **message)
    return str(tab.wait_for("draft")["text"])


def test_a_level_is_displayed_as_it_is_built(studio: Studio, project: Path) -> None:
    tab = studio.tab()
    header = tab.displayed_level("open", level=tab.levels[LEVEL])
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    assert header["layers"][0]["name"] == "ground"
    position = header["layers"][0]["cells"]
    assert position["shape"] == [24, 32]
    assert any(
        array.shape == (24, 32) and np.array_equal(array, level.layers["ground"].cells)
        for array in tab.arrays
    )
    assert any(
        array.shape == (24, 32) and np.array_equal(array, level.walkable().view(np.uint8))
        for array in tab.arrays
    )
    assert [item["name"] for item in header["objects"]] == ["start"]
    assert header["sight"]["rule"] == "symmetric"
    assert header["start"] == [level.objects[0].x, level.objects[0].y]


def test_a_change_shows_and_writes_nothing(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    assert tab.set(["seed"], 8)["seed"] == 8
    tab.send(do="proposal", how="back")  # no agent has made one
    assert tab.wait_for("proposal")["lines"] == []
    assert (project / LEVEL).read_text() == CAVE


def test_saving_replaces_the_text_of_the_value_alone(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    tab.set(["seed"], 8)
    tab.set(["layers", "ground", "wall_percent"], 43)
    tab.send(do="save")
    tab.wait_for("saved")
    expected = CAVE.replace("seed: 7 ", "seed: 8 ").replace("40}", "43}")
    assert (project / LEVEL).read_text() == expected
    assert tab.wait_for("draft")["changed"] is False


def test_undo_and_redo_go_back_and_forward_to_the_byte(studio: Studio) -> None:
    tab = studio.opened()
    tab.set(["seed"], 8)
    after = text_of(tab, "change", changes=[{"remove": ["layers", "ground", "wall_percent"]}])
    assert "wall_percent" not in after
    assert "seed: 8" in text_of(tab, "undo")
    assert text_of(tab, "undo") == CAVE
    assert text_of(tab, "undo") == CAVE
    assert "seed: 8" in text_of(tab, "redo")
    assert text_of(tab, "redo") == after
    assert text_of(tab, "revert") == CAVE


def test_the_changes_of_one_drag_are_one_step(studio: Studio) -> None:
    tab = studio.opened()
    for seed in range(20, 30):
        text_of(tab, "change", changes=[{"set": ["seed"], "value": seed}], merge="drag 1")
    text_of(tab, "change", changes=[{"set": ["seed"], "value": 99}], merge="drag 2")
    assert "seed: 29 " in text_of(tab, "undo")
    assert text_of(tab, "undo") == CAVE


def test_a_file_that_changed_meanwhile_is_not_written_over(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    tab.set(["seed"], 8)
    theirs = CAVE.replace("radius: 6", "radius: 7")
    (project / LEVEL).write_text(theirs)
    tab.send(do="save")
    lines = tab.wait_for("conflict")["lines"]
    assert {"side": "theirs", "text": "visibility: {radius: 7}"} in lines
    assert (project / LEVEL).read_text() == theirs


def test_the_changes_can_be_created_again_on_the_files_new_text(
    studio: Studio, project: Path
) -> None:
    tab = studio.opened()
    tab.set(["seed"], 8)
    (project / LEVEL).write_text(CAVE.replace("radius: 6", "radius: 7"))
    tab.wait_for("conflict")
    text = text_of(tab, "adopt", how="mine")
    assert text == CAVE.replace("radius: 6", "radius: 7").replace("seed: 7 ", "seed: 8 ")
    tab.send(do="save")
    tab.wait_for("saved")
    assert (project / LEVEL).read_text() == text


def test_or_the_files_text_is_accepted(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    tab.set(["seed"], 8)
    theirs = CAVE.replace("radius: 6", "radius: 7")
    (project / LEVEL).write_text(theirs)
    tab.wait_for("conflict")
    assert text_of(tab, "adopt", how="theirs") == theirs


def test_a_tab_follows_the_file(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    (project / LEVEL).write_text(CAVE.replace("seed: 7", "seed: 11"))
    while tab.wait_for("level")["seed"] != 11:
        pass
    (project / LEVEL).write_text("size: [32, 24\n")
    while not tab.wait_for("problems")["problems"]:
        pass
    (project / LEVEL).write_text(CAVE)
    while tab.wait_for("level")["seed"] != 7:
        pass


def test_a_tab_follows_the_files_that_the_level_reads(studio: Studio, project: Path) -> None:
    from exporter.formats.images.png import encode_png

    picture = project / "levels" / "plan.png"
    dark = np.zeros((24, 32, 4), np.uint8)
    dark[..., 3] = 255
    picture.write_bytes(encode_png(dark))
    tab = studio.opened()
    layer = {"generator": "from_image", "image": "plan.png", "role": "picture"}
    tab.set(["layers", "plan"], layer)
    before = [array.copy() for array in tab.arrays]
    dark[4:9, 4:9, :3] = 255
    picture.write_bytes(encode_png(dark))
    tab.wait_for("level")
    assert any(
        item.shape == other.shape and not np.array_equal(item, other)
        for item, other in zip(before, tab.arrays, strict=False)
    )


def test_two_tabs_have_their_own_drafts_and_the_same_file(studio: Studio) -> None:
    item, other = studio.opened(), studio.opened()
    item.set(["seed"], 8)
    assert other.set(["visibility", "radius"], 5)["seed"] == 7
    item.send(do="save")
    item.wait_for("saved")
    assert other.wait_for("conflict")


def test_a_tab_that_comes_back_has_its_draft(studio: Studio) -> None:
    tab = studio.opened()
    tab.set(["seed"], 8)
    again = studio.tab_again(tab)
    assert "seed: 8" in again.wait_for("draft")["text"]
    assert again.wait_for("level")["seed"] == 8


def test_a_duplicated_tab_has_a_session_of_its_own(studio: Studio) -> None:
    tab = studio.opened()
    assert studio.tab(tab.session).session != tab.session


def test_a_broken_limit_is_reported_beside_the_picture(studio: Studio) -> None:
    tab = studio.opened()
    level = tab.set(["require"], {"min_floor": 0.99})
    assert "min_floor" in level["problems"][0]["text"]


def test_a_wrong_value_is_reported_in_the_words_of_the_terminal(
    studio: Studio, project: Path
) -> None:
    tab = studio.opened()
    changes = [{"set": ["layers", "ground", "wall_percent"], "value": 400}]
    reported = tab.problems("change", changes=changes)
    (project / LEVEL).write_text(CAVE.replace("40}", "400}"))
    try:
        exporter.load_level(project / LEVEL)
    except exporter.SpecError as error:
        assert reported[0]["message"] == error.problems[0].message
        assert (reported[0]["line"], reported[0]["column"]) == (error.line, error.column)
    else:
        raise AssertionError("the value is wrong")


def test_a_level_that_is_too_large_is_refused_before_it_is_built(
    project: Path, serve: Callable[..., Studio]
) -> None:
    tab = serve(project, max_seconds=1).tab()
    tab.send(do="open", level=tab.levels[LEVEL])
    tab.wait_for("draft")
    changes = [{"set": ["size"], "value": [4096, 4096]}]
    reported = tab.problems("change", changes=changes)
    assert "--max-seconds allows more" in reported[0]["message"]


def test_links_stay_links(project: Path, serve: Callable[..., Studio]) -> None:
    real = project / "real.yaml"
    real.write_text(CAVE)
    (project / LEVEL).unlink()
    (project / LEVEL).symlink_to(real)
    os.chmod(real, 0o640)
    tab = serve(project).opened()
    tab.set(["seed"], 8)
    tab.send(do="save")
    tab.wait_for("saved")
    assert (project / LEVEL).is_symlink()
    assert "seed: 8" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640


def test_levels_that_come_and_go_are_reported(studio: Studio, project: Path) -> None:
    tab = studio.opened()
    (project / "levels" / "other.level.yaml").write_text(CAVE)
    names = [item["name"] for item in tab.wait_for("levels")["levels"]]
    assert names == [LEVEL, "levels/other.level.yaml"]


def test_a_lone_spec_can_be_opened(project: Path, serve: Callable[..., Studio]) -> None:
    tab = serve(project / LEVEL).tab()
    assert list(tab.levels) == ["cave.level.yaml"]


def test_the_schema_tells_every_generator(studio: Studio) -> None:
    tab = studio.tab()
    tab.send(do="schema")
    schema = tab.wait_for("schema")["schema"]
    names = schema["properties"]["layers"]["additionalProperties"]["properties"]["generator"]
    assert "cellular_caves" in names["enum"]


def test_problems_name_the_parameter_they_are_about(studio: Studio) -> None:
    tab = studio.opened()
    tab.send(do="change", changes=[{"set": ["layers", "ground", "wall_percent"], "value": 400}])
    draft = tab.wait_for("draft")
    (problem,) = tab.wait_for("problems")["problems"]
    assert problem["path"] == ["layers", "ground", "wall_percent"]
    assert problem["file"] == draft["file"]
    # An omitted value has no position in the file, and is named all the same.
    changes = [{"set": ["layers", "ground"], "value": {"generator": "union"}}]
    (problem,) = tab.problems("change", changes=changes)
    assert problem["path"][:2] == ["layers", "ground"]
