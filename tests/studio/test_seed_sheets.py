"""Contact sheets of seeds and sweeps, as a tab gets them, and seeds that a spec searches for."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporter
from daemon_harness import DEADLINE
from exporter.formats.preview import preview_pixels
from exporter.model.expressions import ExpressionError
from exporter.studio.seed_pictures import SmallPictures, small_shape
from exporter.studio.seed_sheets import BUG, SeedSheets
from exporter.studio.seed_tasks import Batch, Opened, SheetError, SheetTask, requested_fields
from studio_tabs import CAVE, Studio, Tab

LEVEL = "levels/cave.level.yaml"
SEED_RULE = "the seed of a sweep is a whole number or a text"
SEARCHING = CAVE.replace("seed: 7 ", "seed: {search: 40, best: farthest} ")


class Sheet:
    """A sheet as a tab has got it."""

    def __init__(self, tab: Tab, **message: Any) -> None:
        message.setdefault("sheet", 1)
        tab.send(do="seeds", **message)
        self.begun = tab.wait_for("seeds")
        self.levels: list[dict[str, Any]] = []
        self.pictures: dict[int, Any] = {}
        while True:
            reported = tab.next()
            if reported["event"] == "seed-levels":
                assert reported["sheet"] == message["sheet"]
                for level, picture in zip(reported["levels"], tab.arrays[0], strict=True):
                    self.levels.append(level)
                    self.pictures[level["number"]] = picture
            elif reported["event"] == "seeds-done":
                self.done = reported
                break
        self.levels.sort(key=lambda item: int(item["number"]))


def refused(tab: Tab, **message: Any) -> dict[str, Any]:
    tab.send(do="seeds", sheet=3, **message)
    reported = tab.wait_for("seeds-refused")
    assert reported["sheet"] in (0, 3)
    return reported


# --- many seeds -----------------------------------------------------------------------------------


def test_the_levels_that_match_are_those_that_exporter_seeds_finds(
    studio: Studio, project: Path
) -> None:
    where = "farthest >= 45 and dead_ends <= 4"
    sheet = Sheet(studio.opened(), count=60, where=where)
    spec = exporter.load_level(project / LEVEL)
    seeds = exporter.find_seeds(spec, 60, where, budget=60)
    matching = [item for item in sheet.levels if not item["miss"] and not item["failure"]]
    assert [item["seed"] for item in matching] == [item.seed for item in seeds]
    assert 0 < len(matching) < 60
    for item, level in zip(matching, seeds, strict=True):
        assert {name: item["metrics"][name] for name in level.metrics} == level.metrics
    assert sheet.done["matched"] == len(matching)
    missed = next(item for item in sheet.levels if item["miss"])
    assert "farthest" in missed["miss"] or "dead_ends" in missed["miss"]


def test_every_level_comes_once_with_its_picture(studio: Studio, project: Path) -> None:
    sheet = Sheet(studio.opened(), count=30, first=100)
    assert [item["number"] for item in sheet.levels] == list(range(30))
    assert [item["seed"] for item in sheet.levels] == list(range(100, 130))
    assert sheet.done["count"] == sheet.begun["count"] == 30
    spec = exporter.load_level(project / LEVEL)
    level = exporter.build_level(spec.with_seed(117))
    walls = ~level.walkable()
    picture = sheet.pictures[17].astype(int).sum(axis=2)
    assert picture.shape == (24, 32)
    # Walls are darker than every floor that no object lies on.
    x, y = level.objects[0].x, level.objects[0].y
    near = np.zeros_like(walls)
    near[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2] = True
    assert picture[walls & ~near].max() < picture[~walls & ~near].min()


def test_seeds_go_on_where_the_sheet_before_has_ended(studio: Studio) -> None:
    tab = studio.opened()
    whole = [level["seed"] for level in Sheet(tab, count=20).levels]
    assert len(set(whole)) == 20
    assert [level["seed"] for level in Sheet(tab, count=10, skip=10, sheet=2).levels] == whole[10:]


def test_varied_parameters_are_those_of_exporter_seeds(studio: Studio, project: Path) -> None:
    sheet = Sheet(studio.opened(), count=25, vary=["ground.wall_percent=38..46"])
    spec = exporter.load_level(project / LEVEL)
    seeds = exporter.find_seeds(spec, 25, vary={"ground.wall_percent": (38, 46)}, budget=25)
    assert [level["parameters"] for level in sheet.levels] == [item.parameters for item in seeds]
    assert sheet.begun["parameters"] == ["ground.wall_percent"]


def test_the_sheet_is_of_the_draft_and_not_of_the_file(studio: Studio) -> None:
    tab = studio.opened()
    before = Sheet(tab, count=4, first=1)
    tab.set(["layers", "ground", "wall_percent"], 48)
    after = Sheet(tab, count=4, first=1, sheet=2)
    assert before.levels[0]["metrics"]["floor"] != after.levels[0]["metrics"]["floor"]


def test_a_level_that_is_not_as_required_is_displayed_with_the_reason(studio: Studio) -> None:
    tab = studio.opened()
    tab.send(do="change", changes=[{"set": ["require"], "value": {"min_floor": 0.6}}])
    sheet = Sheet(tab, count=40)
    failed = [level for level in sheet.levels if level["failure"]]
    assert 0 < len(failed) < 40
    assert len(failed) == sheet.done["failed"]
    assert "walkable cells is 0.5" in failed[0]["failure"]
    assert failed[0]["drawn"]
    assert failed[0]["metrics"]["floor"] < 0.6
    assert all(level["metrics"]["floor"] >= 0.6 for level in sheet.levels if not level["failure"])


def test_metrics_that_need_sight_are_measured_when_the_condition_asks(studio: Studio) -> None:
    tab = studio.opened()
    assert "exposure_mean" not in Sheet(tab, count=1).levels[0]["metrics"]
    sheet = Sheet(tab, count=2, where="exposure_mean > 0", sheet=2)
    assert sheet.levels[0]["metrics"]["exposure_mean"] > 0
    assert sheet.begun["asked"] == ["exposure_mean"]


# --- sweeps ---------------------------------------------------------------------------------------


def test_a_sweep_of_two_parameters_is_a_grid_of_one_seed(studio: Studio, project: Path) -> None:
    vary = ["ground.wall_percent=40..46", "ground.rounds=1..3"]
    sheet = Sheet(studio.opened(), vary=vary, steps=[4, 25], seed=7)
    assert sheet.begun["values"] == [[40, 42, 44, 46], [1, 2, 3]]
    assert {item["seed"] for item in sheet.levels} == {7}
    places = [(item["column"], item["row"]) for item in sheet.levels]
    assert places == [(x, y) for y in range(3) for x in range(4)]
    assert sheet.levels[6]["parameters"] == {"ground.wall_percent": 44, "ground.rounds": 2}
    text = CAVE.replace("wall_percent: 40", "wall_percent: 44, rounds: 2")
    (project / "levels" / "same.level.yaml").write_text(text)
    level = exporter.build_level(exporter.load_level(project / "levels" / "same.level.yaml"))
    measured = exporter.measure(level, ["floor", "farthest"])
    assert {name: sheet.levels[6]["metrics"][name] for name in measured} == measured


def test_a_sweep_has_the_seed_of_the_spec_and_takes_choices(studio: Studio) -> None:
    vary = ["ground.update=synchronous,in_place"]
    sheet = Sheet(studio.opened(), vary=vary, steps=[2])
    assert sheet.begun["values"] == [["synchronous", "in_place"]]
    assert [level["seed"] for level in sheet.levels] == [7, 7]


# --- errors ---------------------------------------------------------------------------------------


def test_a_wrong_condition_is_reported_at_its_position_in_the_words_of_the_terminal(
    studio: Studio, project: Path
) -> None:
    where = "floor > 0.4 and farthes >= 80"
    reported = refused(studio.opened(), where=where)
    with pytest.raises(ExpressionError) as error:
        exporter.find_seeds(exporter.load_level(project / LEVEL), 1, where)
    assert (reported["field"], reported["text"]) == ("where", error.value.message)
    assert (reported["start"], reported["length"]) == (16, 7)


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"vary": ["ground.wall_percen=3..4"]}, "vary", "did you mean 'wall_percent'"),
    ({"vary": ["ground.rounds=3..4"] * 2}, "vary", "ground.rounds is given twice"),
    ({"vary": [f"ground.rounds={'1,' * 30}1"], "steps": [5]}, "vary", "31 values (at most 25)"),
    (
        {"vary": ["ground.wall_percent=0..99", "ground.blank_rows=0..40"], "steps": [25, 25]},
        "steps",
        "625 levels (allowed: 1 to 500)",
    ),
    ({"where": "floor"}, "where", "condition"),
    ({"count": 501}, "count", "501 is out of range (allowed: 1 to 500)"),
    ({"vary": ["ground.rounds=1..2"], "steps": [2], "seed": 1 << 64}, "", SEED_RULE),
    ({"seed": "x" * 2001}, "", SEED_RULE),
]


def test_a_wrong_field_is_named(studio: Studio) -> None:
    tab = studio.opened()
    for message, field, words in WRONG:
        reported = refused(tab, **message)
        assert reported["field"] == field, message
        assert words in reported["text"], message


def test_the_seed_of_a_sweep_is_any_number_of_64_bits_or_a_text() -> None:
    for seed in (None, -(1 << 63), (1 << 63), 0, "seven seas", "x" * 2000):
        assert requested_fields({"seed": seed})["seed"] == seed
    for seed in (-(1 << 63) - 1, (1 << 63) + 1, "x" * 2001, 1.5, False, ["7"], {}):
        with pytest.raises(SheetError, match=SEED_RULE) as error:
            requested_fields({"seed": seed})
        assert error.value.field == ""


def test_a_draft_that_cannot_be_read_has_no_sheet(studio: Studio) -> None:
    tab = studio.opened()
    tab.send(do="change", changes=[{"set": ["layers", "ground", "wall_percent"], "value": 400}])
    tab.wait_for("problems")
    reported = refused(tab, count=5)
    assert reported["field"] == ""
    assert "wall_percent" in reported["text"]


def test_levels_that_take_too_long_are_refused_before_one_is_built(
    project: Path, serve: Callable[..., Studio]
) -> None:
    (project / LEVEL).write_text(CAVE.replace("[32, 24]", "[4096, 4096]"))
    tab = serve(project, max_seconds=1).tab()
    tab.send(do="open", level=tab.levels[LEVEL])
    reported = refused(tab, count=5)
    assert "--max-seconds allows more" in reported["text"]


# --- one after another ----------------------------------------------------------------------------


def test_a_newer_sheet_takes_the_position_of_the_one_before(studio: Studio) -> None:
    tab = studio.opened()
    for number in range(1, 30):
        tab.send(do="seeds", sheet=number, count=500)
    last = Sheet(tab, sheet=99, count=6)
    assert len(last.levels) == 6


def test_a_sheet_that_is_stopped_sends_no_more(studio: Studio) -> None:
    tab = studio.opened()
    tab.send(do="seeds", sheet=1, count=500)
    tab.wait_for("seed-levels")
    tab.send(do="seeds-stop")
    assert tab.set(["seed"], 9)["seed"] == 9
    # A process finishes its work when another sheet begins, and its result is dropped.
    assert len(Sheet(studio.opened(), count=40).levels) == 40
    tab.send(do="seeds", sheet=2, count=3)
    while (reported := tab.next())["event"] != "seeds-done":
        assert reported.get("sheet") != 1
    assert reported["sheet"] == 2


def test_a_sheet_does_not_hold_up_the_picture_of_the_draft(studio: Studio) -> None:
    tab = studio.opened()
    for number in range(1, 4):
        other = studio.opened()
        other.send(do="seeds", sheet=number, count=500)
        other.wait_for("seed-levels")
    assert tab.set(["seed"], 9)["seed"] == 9


def test_sheets_of_two_tabs_take_turns(studio: Studio) -> None:
    item, other = studio.opened(), studio.opened()
    item.send(do="seeds", sheet=1, count=80)
    item.wait_for("seed-levels")
    assert len(Sheet(other, count=8).levels) == 8
    item.wait_for("seeds-done")


# --- seeds that are searched for ------------------------------------------------------------------


def test_the_seed_that_was_detected_is_displayed_and_preserved_while_a_control_is_dragged(
    project: Path, serve: Callable[..., Studio]
) -> None:
    (project / LEVEL).write_text(SEARCHING)
    tab = serve(project).tab()
    first = tab.displayed_level("open", level=tab.levels[LEVEL])
    assert first["seed"] == first["seedResult"]
    assert first["pinned"] is False
    change = {"set": ["layers", "ground", "wall_percent"], "value": 47}
    dragged = tab.displayed_level("change", changes=[change], merge="drag 1 x")
    assert dragged["pinned"] is True
    assert dragged["seed"] == dragged["seedResult"] == first["seedResult"]
    released = tab.displayed_level("release")
    text = SEARCHING.replace("wall_percent: 40", "wall_percent: 47")
    (project / "levels" / "other.yaml").write_text(text.replace("size", "level: cave\nsize"))
    expected = exporter.build_level(exporter.load_level(project / "levels" / "other.yaml")).seed
    assert released["seed"] == released["seedResult"] == expected
    assert released["seed"] != first["seed"]


def test_a_search_stays_in_the_file_unless_a_seed_is_used(
    project: Path, serve: Callable[..., Studio]
) -> None:
    (project / LEVEL).write_text(SEARCHING)
    tab = serve(project).tab()
    result = tab.displayed_level("open", level=tab.levels[LEVEL])["seedResult"]
    tab.set(["visibility", "radius"], 5)
    tab.send(do="save")
    tab.wait_for("saved")
    assert (project / LEVEL).read_text() == SEARCHING.replace("radius: 6", "radius: 5")
    used = tab.set(["seed"], result)
    assert used["seed"] == result
    assert used["seedResult"] is None
    tab.send(do="save")
    tab.wait_for("saved")
    expected = CAVE.replace("seed: 7 ", f"seed: {result} ").replace("radius: 6", "radius: 5")
    assert (project / LEVEL).read_text() == expected


def test_a_sheet_of_a_spec_that_searches_needs_no_search(
    project: Path, serve: Callable[..., Studio]
) -> None:
    (project / LEVEL).write_text(SEARCHING)
    sheet = Sheet(serve(project).opened(), count=40)
    best = max(sheet.levels, key=lambda level: (level["metrics"]["farthest"], -level["number"]))
    assert best["seed"] == exporter.build_level(exporter.load_level(project / LEVEL)).seed


# --- small pictures -------------------------------------------------------------------------------

WIDE = """\
size: [250, 40]
seed: 3
layers:
  ground: {generator: rooms_and_corridors}
"""


def test_a_small_picture_is_a_preview_of_every_so_many_cells(tmp_path: Path) -> None:
    (tmp_path / "wide.yaml").write_text(WIDE)
    level = exporter.build_level(exporter.load_level(tmp_path / "wide.yaml"))
    small = SmallPictures().of(level)
    assert small.shape == small_shape(250, 40) == (13, 83, 3)
    preview = preview_pixels(level, scale=1)[0][1::3, 1::3].astype(int)
    cells = level.layers["ground"].cells[1::3, 1::3]
    for tile in np.unique(cells):
        colors = {tuple(item) for item in small[cells == tile].tolist()}
        # Of a tile with several pictures it is the colour of one of them.
        assert len(colors) == 1
        assert colors <= {tuple(item) for item in preview[cells == tile].tolist()}


def test_heights_are_drawn_as_relief(tmp_path: Path) -> None:
    (tmp_path / "hills.yaml").write_text("size: [40, 30]\nlayers: {land: {generator: heightmap}}\n")
    level = exporter.build_level(exporter.load_level(tmp_path / "hills.yaml"))
    assert np.array_equal(SmallPictures().of(level), preview_pixels(level, scale=1)[0])


# --- processes ------------------------------------------------------------------------------------


def odd_worker(_argument: object) -> Any:
    """Answers in a process: the file's name says how."""

    def work(job: tuple[SheetTask, range | None]) -> Opened | Batch:
        task, numbers = job
        if task.file == "dies":
            os._exit(3)
        if task.file == "fails":
            raise ZeroDivisionError("a bug")
        if task.file == "sleeps":
            time.sleep(600)
        if numbers is None:
            event: Any = {"event": "seeds", "pid": os.getpid()}
            return Opened(task.count, event)
        return Batch(b"", len(numbers), 0, 0)

    return work


def reported_for(*files: str) -> list[list[dict[str, Any]]]:
    """Return the messages to a tab about some sheets one after another, until each has ended."""

    async def run() -> list[list[dict[str, Any]]]:
        sheets = SeedSheets(1, worker=odd_worker)
        result = []
        for file in files:
            reported: list[dict[str, Any]] = []
            task = SheetTask(b"", file, Path(), None, None, 60, 1, count=5)
            sheets.seconds = 1 if file == "sleeps" else DEADLINE
            sheets.show("tab", task, lambda _, item: reported.append(item) if item else None)  # noqa: B023
            while not (reported and reported[-1]["event"] in ("seeds-done", "seeds-refused")):
                await asyncio.sleep(0.01)
            result.append(reported)
        await sheets.close()
        return result

    return asyncio.run(asyncio.wait_for(run(), DEADLINE))


def test_a_process_that_dies_is_reported_and_another_one_takes_over() -> None:
    died, well = reported_for("dies", "well")
    assert "while it measured levels" in died[-1]["text"]
    assert (well[-1]["event"], well[-1]["count"]) == ("seeds-done", 5)


def test_a_bug_is_reported_and_the_sheets_go_on(capfd: pytest.CaptureFixture[str]) -> None:
    failed, well = reported_for("fails", "well")
    assert failed[-1]["text"] == BUG
    assert "ZeroDivisionError" in capfd.readouterr().err
    assert well[-1]["event"] == "seeds-done"


def test_levels_that_take_too_long_are_given_up() -> None:
    slow, well = reported_for("sleeps", "well")
    assert "took longer than 1 seconds" in slow[-1]["text"]
    assert well[-1]["event"] == "seeds-done"


def test_a_sheet_that_is_overtaken_is_given_up_at_once_and_closing_waits_for_nothing() -> None:
    async def run() -> list[str]:
        sheets = SeedSheets(1, 60, odd_worker)
        reported: list[dict[str, Any]] = []
        slow = SheetTask(b"", "sleeps", Path(), None, None, 60, 1, count=5)
        sheets.show("tab", slow, lambda _, item: reported.append(item))
        await asyncio.sleep(0.5)
        sheets.show("tab", replace(slow, file="well"), lambda _, item: reported.append(item or {}))
        while not (reported and reported[-1].get("event") == "seeds-done"):
            await asyncio.sleep(0.01)
        sheets.show("tab", slow, lambda _, item: reported.append(item))
        await asyncio.sleep(0.5)
        await sheets.close()
        return [item["event"] for item in reported if item]

    assert asyncio.run(asyncio.wait_for(run(), DEADLINE)) == ["seeds", "seeds-done"]
