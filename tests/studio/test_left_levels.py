"""Drafts of levels that a tab has left, and of deleted files."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from exporter.project.level_files import LevelFile, LevelFiles
from exporter.reading.changes import SetValue
from exporter.studio.builders import Builders
from exporter.studio.drafts import Draft
from exporter.studio.sessions import Sessions
from exporter.studio.stored_drafts import MAXIMUM_WITH_STEPS, StoredDrafts
from exporter.studio.tasks import BuildTask, TaskReply
from studio_tabs import CAVE, Studio, Tab


class SlowBuilders(Builders):
    """Builders that answer on command."""

    def __init__(self) -> None:
        super().__init__()
        self.requested, self.done = asyncio.Event(), asyncio.Event()

    async def build(self, session: str, task: BuildTask) -> TaskReply | None:
        """Answer with a level that read a file."""
        self.requested.set()
        await self.done.wait()
        return TaskReply(b"a level", files=("levels/cave.tmj",))


LEVEL, OTHER = "levels/cave.level.yaml", "levels/other.level.yaml"
LEVELS = {"cave": CAVE, "other": CAVE}


@pytest.fixture
def tab(studio: Studio) -> Tab:
    """A tab with one level open, in a project with two."""
    return studio.opened(LEVEL)


def test_a_draft_waits_until_its_level_is_opened_again(tab: Tab) -> None:
    tab.set(["seed"], 8)
    tab.set(["seed"], 9)
    tab.send(do="open", level=tab.levels[OTHER])
    marked = {item["name"]: item["changed"] for item in tab.wait_for("levels")["levels"]}
    assert marked == {LEVEL: True, OTHER: False}
    assert tab.wait_for("draft")["text"] == CAVE
    tab.send(do="open", level=tab.levels[LEVEL])
    draft = tab.wait_for("draft")
    assert "seed: 9" in draft["text"]
    assert (draft["changed"], draft["undo"]) == (True, 2)
    tab.send(do="undo")
    assert "seed: 8" in tab.wait_for("draft")["text"]


def test_a_draft_that_waits_follows_the_file(tab: Tab, project: Path) -> None:
    tab.displayed_level("open", level=tab.levels[OTHER])
    (project / LEVEL).write_text(CAVE.replace("seed: 7", "seed: 70"))
    tab.send(do="open", level=tab.levels[LEVEL])
    assert "seed: 70" in tab.wait_for("draft")["text"]
    tab.set(["visibility", "radius"], 5)
    tab.displayed_level("open", level=tab.levels[OTHER])
    theirs = CAVE.replace("seed: 7", "seed: 71")
    (project / LEVEL).write_text(theirs)
    tab.send(do="open", level=tab.levels[LEVEL])
    assert "radius: 5" in tab.wait_for("draft")["text"]
    assert {"side": "theirs", "text": "seed: 71   # a good one"} in tab.wait_for("conflict")[
        "lines"
    ]
    assert (project / LEVEL).read_text() == theirs


def test_a_tab_that_comes_back_is_reported_which_level_is_open(tab: Tab, studio: Studio) -> None:
    tab.displayed_level("open", level=tab.levels[OTHER])
    again = studio.tab_again(tab)
    assert again.welcome["open"] == tab.levels[OTHER]


def test_a_draft_state_file_is_removed_can_be_written_again(tab: Tab, project: Path) -> None:
    tab.set(["seed"], 8)
    (project / LEVEL).unlink()
    removed = {item["name"]: item["gone"] for item in tab.wait_for("levels")["levels"]}
    assert removed == {LEVEL: True, OTHER: False}
    tab.send(do="save")
    assert tab.wait_for("conflict")["gone"] is True
    assert not (project / LEVEL).exists()
    tab.send(do="adopt", how="again")
    tab.wait_for("saved")
    assert (project / LEVEL).read_text() == CAVE.replace("seed: 7", "seed: 8")


def test_a_draft_state_folder_is_removed_can_be_written_again(tab: Tab, project: Path) -> None:
    """As after a change to a branch without it."""
    tab.set(["seed"], 8)
    shutil.rmtree(project / "levels")
    tab.send(do="save")
    assert tab.wait_for("conflict")["gone"] is True
    tab.send(do="adopt", how="again")
    tab.wait_for("saved")
    assert (project / LEVEL).read_text() == CAVE.replace("seed: 7", "seed: 8")


def test_a_draft_outlives_its_project(tab: Tab, project: Path) -> None:
    tab.set(["seed"], 8)
    elsewhere = project.rename(project.with_name("elsewhere"))
    tab.send(do="save")
    assert tab.wait_for("conflict")["gone"] is True
    tab.send(do="adopt", how="again")
    assert "is missing (restore it first)" in tab.wait_for("refused")["text"]
    assert not project.exists()
    elsewhere.rename(project)
    tab.send(do="save")
    tab.wait_for("saved")
    assert (project / LEVEL).read_text() == CAVE.replace("seed: 7", "seed: 8")


def test_a_level_can_be_closed_after_its_project_is_removed(tab: Tab, project: Path) -> None:
    project.rename(project.with_name("elsewhere"))
    tab.send(do="adopt", how="nothing")
    assert tab.wait_for("levels")["open"] is None


def hole(path: Path) -> None:
    """A file that seems huge, and takes no room."""
    with path.open("wb") as file:
        file.truncate(1 << 29)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_what_comes_in_the_position_of_a_spec_is_neither_read_nor_written(
    tab: Tab, project: Path
) -> None:
    tab.set(["seed"], 8)
    position, spec = project / LEVEL, project / "kept"
    position.rename(spec)
    secret = project.parent / "secret"
    secret.write_text(CAVE)
    comes: list[tuple[Callable[[Path], object], Callable[[Path], object]]] = [
        (os.mkfifo, os.unlink),
        (os.mkdir, os.rmdir),
        (hole, os.unlink),
        (lambda at: os.symlink(secret, at), os.unlink),
        (lambda at: os.symlink(at, at), os.unlink),
    ]
    for come, go in comes:
        come(position)
        for message in ({"do": "save"}, {"do": "adopt", "how": "again"}):
            tab.send(**message)
            assert "Traceback" not in (text := tab.wait_for("refused")["text"])
            assert "the exporter (its traceback" not in text
        go(position)
    assert secret.read_text() == CAVE
    spec.rename(position)
    tab.send(do="save")
    tab.wait_for("saved")
    assert position.read_text() == CAVE.replace("seed: 7", "seed: 8")


def test_a_file_that_came_in_its_position_is_not_written_over(tab: Tab, project: Path) -> None:
    tab.set(["seed"], 8)
    (project / LEVEL).unlink()
    tab.send(do="save")
    tab.wait_for("conflict")
    (project / LEVEL).write_text("theirs")
    tab.send(do="adopt", how="again")
    assert "changed meanwhile" in tab.wait_for("refused")["text"]
    assert (project / LEVEL).read_text() == "theirs"


def test_a_draft_that_waits_is_not_lost_with_its_file(tab: Tab, project: Path) -> None:
    tab.set(["seed"], 8)
    tab.displayed_level("open", level=tab.levels[OTHER])
    (project / LEVEL).unlink()
    reported = tab.wait_for("levels")
    assert {item["name"]: item["gone"] for item in reported["levels"]} == {
        LEVEL: True,
        OTHER: False,
    }
    tab.send(do="open", level=tab.levels[LEVEL])
    assert "seed: 8" in tab.wait_for("draft")["text"]
    tab.send(do="save")
    assert tab.wait_for("conflict")["gone"] is True


def test_hand_edits_that_changed_while_a_draft_waited_are_reported(tab: Tab, project: Path) -> None:
    edits = project / "levels" / "cave.edits.yaml"
    cells = [[x, y] for x in range(2, 20) for y in range(2, 20)]
    tab.send(do="draw", layer="ground", cells=cells, tile="wall", number=1)
    tab.wait_for("level")
    tab.displayed_level("open", level=tab.levels[OTHER])
    edits.write_text("layers: {ground: [{at: [5, 5], was: wall, now: floor}]}\n")
    tab.send(do="open", level=tab.levels[LEVEL])
    tab.wait_for("draft")
    assert tab.wait_for("conflict")["gone"] is False


def test_a_level_that_is_closed_while_it_is_built_is_not_displayed(project: Path) -> None:
    async def closed() -> list[str]:
        builders = SlowBuilders()
        sessions = Sessions(LevelFiles(project), builders)
        session = sessions.open(None)
        faults: list[str] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: faults.append(str(context["message"])))
        level, _ = sessions.files.all()
        await session.handle({"do": "open", "level": level.id})
        await builders.requested.wait()
        await session.handle({"do": "adopt", "how": "nothing"})
        builders.done.set()
        await asyncio.sleep(0.1)
        gc.collect()
        await asyncio.sleep(0)
        return faults

    assert asyncio.run(closed()) == []


def test_or_the_draft_is_forgotten(tab: Tab, project: Path) -> None:
    tab.set(["seed"], 8)
    (project / LEVEL).unlink()
    tab.send(do="adopt", how="nothing")
    reported = tab.wait_for("levels")
    while reported["open"] is not None:
        reported = tab.wait_for("levels")
    assert [item["name"] for item in reported["levels"]] == [OTHER]
    tab.send(do="save")
    assert tab.wait_for("refused")["text"] == "no level is open"


def test_a_level_that_cannot_be_read_leaves_the_other_open(tab: Tab, project: Path) -> None:
    (project / OTHER).unlink()
    tab.send(do="open", level=tab.levels[OTHER])
    assert tab.wait_for("refused")["text"]
    tab.send(do="change", changes=[{"set": ["seed"], "value": 8}])
    assert "seed: 8" in tab.wait_for("draft")["text"]


def test_no_change_is_forgotten_however_many_levels_were_left() -> None:
    remaining = StoredDrafts()
    for number in range(3 * MAXIMUM_WITH_STEPS):
        draft = Draft.of(CAVE.encode()).change([SetValue(("seed",), number + 100)], "cave")
        level = LevelFile(str(number), Path(f"{number}.level.yaml"), f"{number}", None)
        remaining.keep(level, draft if number % 2 else draft.undo())
    for number in range(1, 3 * MAXIMUM_WITH_STEPS, 2):
        result = remaining.take(str(number))
        assert result is not None
        assert result.changed
        assert b"seed: 1" in result.content
    assert remaining.changed() == {}
    assert remaining.take("0") is None
