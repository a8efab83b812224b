"""Overlays in the studio: the requested one is computed, and follows the draft."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exporter.build.build import Build
from exporter.build.observed import compute_overlay
from exporter.measures import overlays
from exporter.measures.maps import palette
from exporter.reading.reader import parse_level
from exporter.studio import building, viewed
from exporter.studio.building import Memory
from exporter.studio.frames import read_frame
from exporter.studio.tasks import BuildTask
from exporter.studio.viewed import build_requested
from exporter.studio.views import OverlayView
from studio_tabs import CAVE, Studio, Tab

THINGS = CAVE.replace("- {name: start}", "- {name: start}\n  - {name: chest, count: 3, spacing: 4}")


LEVELS = {"cave": THINGS}


def chosen(tab: Tab, name: str | None) -> dict[str, Any]:
    tab.send(do="overlay", name=name)
    return tab.wait_for("overlay")


def test_the_page_is_reported_which_overlays_there_are(studio: Studio) -> None:
    tab = studio.tab()
    tab.send(do="overlays")
    known = tab.wait_for("overlays")["overlays"]
    assert [item["name"] for item in known] == [*overlays()]
    assert {item["argument"] for item in known} == {"", "layer", "object", "entry"}
    assert all(item["summary"] for item in known)


def test_an_overlay_is_the_one_of_the_draft_and_follows_it(studio: Studio) -> None:
    tab = studio.opened()
    for name in ("regions", "farthest", "refused:chest", "rooms"):
        event = chosen(tab, name)
        assert event["name"] == name
        if name == "rooms":
            assert "no layer was built of rooms" in event["problem"]
            continue
        result = expected(THINGS, name)
        values, colors, *cells = tab.arrays
        assert np.array_equal(values, result.values)
        assert np.array_equal(colors, palette(result))
        assert [item["name"] for item in event["classes"]] == [item.name for item in result.classes]
        assert [item["count"] for item in event["classes"]] == [
            item.count for item in result.classes
        ]
        assert (event["scale"] is None) == (result.scale is None)
        if name == "farthest":
            assert cells[0].tolist() == [list(cell) for cell in result.marks[0].cells]
            assert event["marks"][1]["kind"] == "label"
    chosen(tab, "regions")
    tab.set(["seed"], 8)
    event = tab.wait_for("overlay")
    assert np.array_equal(
        tab.arrays[0], expected(THINGS.replace("seed: 7", "seed: 8"), "regions").values
    )
    # Without one nothing more is sent.
    tab.send(do="overlay", name=None)
    tab.send(do="change", changes=[{"set": ["seed"], "value": 9}])
    tab.wait_for("level")
    tab.send(do="overlays")
    while (event := tab.next())["event"] != "overlays":
        assert event["event"] != "overlay"


def expected(text: str, name: str) -> Any:
    build = Build(parse_level(text.encode(), "levels/cave.level.yaml"))
    build.level()
    return compute_overlay(name, build)


def test_what_cannot_be_displayed_is_reported(studio: Studio) -> None:
    tab = studio.opened()
    for name, problem in (
        ("choke", "unknown overlay 'choke' (did you mean 'chokes'?)"),
        ("reach:../../etc", "unknown object '../../etc'"),
        ("refused:start:2", "there is no entry 2 of 'start' (allowed: 1 to 1)"),
    ):
        assert problem in chosen(tab, name)["problem"]
    for name in ("", "x" * 301):
        tab.send(do="overlay", name=name)
        assert "`name` of overlay does not fit" in tab.wait_for("refused")["text"]


def test_an_overlay_before_a_level_is_open_is_refused(studio: Studio) -> None:
    tab = studio.tab()
    tab.send(do="overlay", name="chokes")
    assert tab.wait_for("refused")["text"] == "no level is open"


def test_the_build_that_is_displayed_serves_and_another_draft_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builds = []
    real = building.build_displayed

    def counted(task: BuildTask, memory: Memory) -> Any:
        builds.append(task.content)
        return real(task, memory)

    for module in (building, viewed):
        monkeypatch.setattr(module, "build_displayed", counted)
    memory = Memory()

    def request(text: str, overlay: str) -> dict[str, Any]:
        view = OverlayView(overlay) if overlay else None
        task = BuildTask(text.encode(), "cave.level.yaml", tmp_path, None, view=view)
        return read_frame(build_requested(task, memory).message)[0]

    assert request(CAVE, "")["event"] == "level"
    assert request(CAVE, "chokes")["event"] == "overlay"
    assert request(CAVE, "carved")["event"] == "overlay"
    assert len(builds) == 1
    other = CAVE.replace("seed: 7", "seed: 9")
    assert request(other, "chokes")["event"] == "overlay"
    assert builds == [CAVE.encode(), other.encode()]
    broken = BuildTask(b"layers: 7", "cave.level.yaml", tmp_path, None, view=OverlayView("chokes"))
    header, _ = read_frame(build_requested(broken, memory).message)
    assert header["problem"].startswith("the level cannot be built: ")
