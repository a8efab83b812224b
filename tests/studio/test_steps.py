"""Steps of a layer in the studio: a tab gets the frames of a trace, and they follow the draft."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import exporter
from exporter.build.traces import Steps
from exporter.model.errors import Problem
from exporter.project.level_files import LevelFile
from exporter.reading.reader import parse_level
from exporter.studio import stepped
from exporter.studio.building import Memory
from exporter.studio.drafts import Draft
from exporter.studio.frames import read_frame
from exporter.studio.outbox import Outbox
from exporter.studio.session_builds import SessionBuilds
from exporter.studio.tasks import BuildTask, TaskReply
from exporter.studio.viewed import build_requested
from exporter.studio.views import StepsView
from studio_tabs import CAVE, Studio, Tab

SPEC = """\
size: [40, 30]
seed: 3
layers:
  hills: {generator: heightmap, thermal_rounds: 4}
  plain: {generator: blank}
  base: {generator: rooms_and_corridors}
  maze: {generator: maze, role: none}
objects:
  - {name: start}
"""


def opened(studio: Studio, project: Path, text: str = SPEC) -> Tab:
    (project / "levels" / "cave.level.yaml").write_text(text)
    return studio.opened()


def steps_of(tab: Tab, layer: str | None) -> dict[str, Any]:
    tab.send(do="steps", layer=layer)
    return tab.wait_for("steps")


def traced(text: str, layer: str) -> Steps:
    return exporter.trace_layer(parse_level(text.encode(), "levels/cave.level.yaml"), layer)


def frames_of(event: dict[str, Any], arrays: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """Put the frames of a message together as the page does."""
    rest = iter(arrays)
    cells = next(rest).copy()
    result = []
    for frame in event["frames"]:
        # Empty arrays lie where the next one does: `read_frame` has none of them.
        if frame["values"]["shape"] != [0]:
            places = next(rest) if frame["cells"] is not None else slice(None)
            cells.ravel()[places] ^= next(rest)
        result.append(cells.copy())
    return result


def check(event: dict[str, Any], arrays: list[NDArray[Any]], steps: Steps) -> None:
    assert event["problem"] is None
    assert event["layer"] == steps.layer.name
    assert (event["heights"] is None) == (steps.heights is None)
    assert [item["name"] for item in event["tiles"]] == [tile.name for tile in steps.tiles]
    assert [item["label"] for item in event["frames"]] == [item.label for item in steps.frames]
    assert event["thinned"] == steps.thinned
    for displayed, frame in zip(frames_of(event, arrays), steps.frames, strict=True):
        assert np.array_equal(displayed, frame.cells)


def test_the_frames_are_those_of_the_trace_and_follow_the_draft(
    studio: Studio, project: Path
) -> None:
    tab = opened(studio, project)
    for layer in ("hills", "plain", "base", "maze"):
        check(steps_of(tab, layer), tab.arrays, traced(SPEC, layer))
    tab.set(["seed"], 4)
    event = tab.wait_for("steps")
    check(event, tab.arrays, traced(SPEC.replace("seed: 3", "seed: 4"), "maze"))
    # Without a wish nothing more is sent.
    tab.send(do="steps", layer=None)
    tab.send(do="change", changes=[{"set": ["seed"], "value": 9}])
    tab.wait_for("level")
    tab.send(do="overlays")
    while (event := tab.next())["event"] != "overlays":
        assert event["event"] != "steps"


def test_without_a_name_it_is_the_first_layer_with_more_than_one_step(
    studio: Studio, project: Path
) -> None:
    tab = opened(studio, project)
    event = steps_of(tab, "")
    # `plain` comes first among those of the role play, and is made at once.
    assert (event["wanted"], event["layer"]) == ("", "base")
    item = steps_of(
        opened(studio, project, SPEC.split("  hills")[0] + "  plain: {generator: blank}\n"), ""
    )
    assert (item["layer"], len(item["frames"]), item["thinned"]) == ("plain", 1, False)


def test_steps_of_a_level_that_breaks_its_limits_are_displayed(
    studio: Studio, project: Path
) -> None:
    text = SPEC + "require: {min_floor: 0.99}\n"
    tab = opened(studio, project, text)
    check(steps_of(tab, "base"), tab.arrays, traced(SPEC, "base"))


def test_the_seed_that_was_detected_is_the_one_of_the_steps(studio: Studio, project: Path) -> None:
    text = CAVE.replace("seed: 7   # a good one", "seed: {search: 5, best: farthest}")
    tab = opened(studio, project, text)
    level = tab.displayed_level("undo")
    assert level["seedResult"] is not None
    result = CAVE.replace("seed: 7", f"seed: {level['seedResult']}")
    check(steps_of(tab, "ground"), tab.arrays, traced(result, "ground"))


def test_what_cannot_be_displayed_is_reported(studio: Studio, project: Path) -> None:
    tab = opened(studio, project)
    assert "unknown layer 'bse' (did you mean 'base'?)" in steps_of(tab, "bse")["problem"]
    tab.problems("change", changes=[{"set": ["layers", "base", "generator"], "value": "bsp"}])
    problem = steps_of(tab, "base")["problem"]
    assert problem.startswith("the level cannot be built: ")
    tab.send(do="steps", layer="x" * 301)
    assert "`layer` of steps does not fit" in tab.wait_for("refused")["text"]


def message(text: str, layer: str, tmp_path: Path) -> bytes:
    task = BuildTask(text.encode(), "a.level.yaml", tmp_path, None, view=StepsView(layer))
    return build_requested(task, Memory()).message


@pytest.mark.parametrize("generator", ["maze", "heightmap, thermal_rounds: 130", "drunkard"])
def test_large_layers_have_fewer_frames_and_say_so(tmp_path: Path, generator: str) -> None:
    text = f"size: [512, 512]\nseed: 3\nlayers:\n  big: {{generator: {generator}}}\n"
    sent = message(text, "big", tmp_path)
    event, arrays = read_frame(sent)
    assert event["thinned"]
    assert 60 < len(event["frames"]) <= 128
    assert len(sent) < stepped.MAXIMUM_BYTES * 1.01
    level = exporter.build_level(parse_level(text.encode(), "a.level.yaml"))
    assert np.array_equal(frames_of(event, arrays)[-1], level.layers["big"].cells)


def test_layers_before_are_accepted_from_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Memory()
    task = BuildTask(SPEC.encode(), "a.level.yaml", tmp_path, None)
    build_requested(task, memory)
    built: list[str] = []
    real = stepped.Build

    def noted(*given: Any, **named: Any) -> Any:
        build = real(*given, **named)
        run = build.stages.run

        def counted(stage: Any) -> Any:
            before = len(build.stages.unsaved)
            result = run(stage)
            built.extend([str(stage.name)] * (len(build.stages.unsaved) - before))
            return result

        build.stages.run = counted
        return build

    monkeypatch.setattr(stepped, "Build", noted)
    header, _ = read_frame(build_requested(replace(task, view=StepsView("maze")), memory).message)
    assert header["layer"] == "maze"
    assert built == []


def test_a_trace_that_is_given_up_is_reported() -> None:
    reported: list[Any] = []

    class Box(Outbox):
        def put(self, kind: str, message: Any) -> None:
            reported.append((kind, message))

    class Session:
        id, drawn, ground = "one", 0, None
        level = LevelFile("x", Path("a.level.yaml"), "a.level.yaml", None)

        def opened(self) -> tuple[LevelFile, Draft]:
            return self.level, Draft.of(CAVE.encode(), None, self.level.name)

    class Ended:
        async def build(self, _session: str, _task: BuildTask) -> TaskReply:
            return TaskReply(problems=(Problem("building took longer than 60 seconds", "a"),))

    async def run() -> None:
        session: Any = Session()
        ended: Any = Ended()
        builds = SessionBuilds(session, ended, ended, Box())
        builds.want("steps", StepsView("ground"))
        while not reported:
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(run(), 60))
    kind, sent = reported[0]
    header, _ = read_frame(sent)
    assert (kind, header["event"], header["wanted"]) == ("steps", "steps", "ground")
    assert header["problem"] == "building took longer than 60 seconds"
