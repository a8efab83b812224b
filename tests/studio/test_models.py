"""The model of a level in the studio: it is that of the draft, and follows it."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from exporter.build.build import build_level
from exporter.formats.gltf import model
from exporter.formats.gltf.model import level_model
from exporter.model.errors import ExporterError
from exporter.reading.reader import parse_level
from exporter.studio import models
from exporter.studio.building import Memory
from exporter.studio.models import model_of_draft
from exporter.studio.tasks import BuildTask
from exporter.studio.views import StudioView
from studio_tabs import CAVE, Studio

LEVELS = {"cave": CAVE}


def model_of(text: str) -> bytes:
    return level_model(build_level(parse_level(text.encode(), "levels/cave.level.yaml")))


def test_the_model_is_that_of_the_draft_until_it_is_closed(studio: Studio) -> None:
    tab = studio.opened()
    tab.send(do="model", on=True)
    assert tab.wait_for("model")["problem"] is None
    assert tab.arrays[0].tobytes() == model_of(CAVE)
    tab.set(["seed"], 12)
    tab.wait_for("model")
    assert tab.arrays[0].tobytes() == model_of(CAVE.replace("seed: 7", "seed: 12"))
    tab.send(do="model", on=False)
    tab.set(["seed"], 13)
    tab.send(do="overlay", name="chokes")
    while (event := tab.next()["event"]) != "overlay":
        assert event != "model"


HEIGHTS = """\
size: [32, 24]
layers:
  relief: {generator: heightmap, size: [65, 49]}
"""


def test_a_large_level_has_no_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for text, cells, side, refused in (
        (CAVE, 768, 32, None),
        (CAVE, 767, 32, "768 cells are too many"),
        (CAVE, 768, 31, "32 cells a side are too many"),
        (HEIGHTS, 3184, 32, "3,185 cells are too many"),
    ):
        monkeypatch.setattr(models, "MOST_CELLS", cells)
        monkeypatch.setattr(model, "LONGEST_SIDE", side)
        task = BuildTask(text.encode(), "cave.level.yaml", tmp_path, None, view=StudioView("model"))
        with nullcontext() if refused is None else pytest.raises(ExporterError, match=refused):
            model_of_draft(task, Memory())
