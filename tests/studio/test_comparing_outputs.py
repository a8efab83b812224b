"""Comparing in the studio: how the exported files differ, without a picture that waits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from daemon_harness import DEADLINE
from exporter.studio.builders import Builders
from exporter.studio.tasks import BuildTask, TaskReply
from level_differences import diff
from studio_tabs import CAVE, Studio, Tab

LEVEL = "levels/cave.level.yaml"


def compared(studio: Studio, level: str = LEVEL) -> tuple[Tab, dict[str, Any]]:
    tab = studio.tab()
    tab.displayed_level("open", level=tab.levels[level])
    tab.send(do="compare", number=3, **{"with": {"seed": 8}})
    return tab, tab.wait_for("comparison")


def test_they_are_those_of_the_command(studio: Studio, project: Path) -> None:
    tab, event = compared(studio)
    assert event["exported"]
    tab.send(do="outputs")
    reported = tab.wait_for("outputs")
    assert (reported["number"], reported["problem"], reported["targets"]) == (3, None, 1)
    assert reported["outputs"] == diff(f"{project / LEVEL}@8", project / LEVEL)["outputs"]
    assert reported["outputs"]["changed"]
    # They are of the draft, not of the file.
    tab.set(["seed"], 8)
    tab.send(do="outputs")
    assert tab.wait_for("outputs")["outputs"]["changed"] == []


def test_faults_of_the_project_are_reported(studio: Studio, project: Path) -> None:
    tab, _ = compared(studio)
    (project / "exporter.yaml").write_text("targets: {tiled: {pth: tiled}}\n")
    tab.send(do="outputs")
    assert "pth" in tab.wait_for("outputs")["problem"]


def test_a_level_without_a_project_has_none(tmp_path: Path, serve: Callable[..., Studio]) -> None:
    path = tmp_path / "cave.level.yaml"
    path.write_text(CAVE)
    tab, event = compared(serve(path), "cave.level.yaml")
    assert not event["exported"]
    tab.send(do="outputs")
    assert tab.wait_for("outputs")["problem"].startswith("there is no project")


def test_malformed_messages_are_refused(studio: Studio) -> None:
    tab, _ = compared(studio)
    for stop in ("yes", 1, None):
        tab.send(do="outputs", stop=stop)
        assert tab.wait_for("refused")["text"] == "`stop` of outputs does not fit", stop
    tab.send(do="compare", number=4, **{"with": None})
    tab.send(do="outputs")
    assert tab.wait_for("refused")["text"] == "nothing is compared"


def _slow(task: BuildTask, _memory: Any) -> TaskReply:
    time.sleep(600)
    return TaskReply()


def test_what_is_given_up_ends_soon_and_is_none() -> None:
    async def give_up() -> None:
        builders = Builders(_slow, lazy=True)
        builders.start()
        try:
            # Nothing is started before there is something to build.
            assert builders._process is None
            task = BuildTask(b"", "a.level.yaml", Path(), None)
            running = asyncio.create_task(builders.build("one", task))
            waiting = asyncio.create_task(builders.build("two", task))
            await asyncio.sleep(0.5)
            builders.give_up("two")
            builders.give_up("one")
            assert await asyncio.wait_for(waiting, DEADLINE) is None
            assert await asyncio.wait_for(running, DEADLINE) is None
        finally:
            await builders.close()

    asyncio.run(give_up())
