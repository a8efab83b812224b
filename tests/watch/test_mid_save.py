"""A spec that is empty or away for a moment, as editors leave it in the middle of a save."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from daemon_harness import Daemon, Project, expected_outputs, level_text
from exporter.export.wanted import ProjectFiles
from exporter.store.manifest import Entry
from exporter.store.store import Store

# As long as it takes, so that a slow machine changes nothing.
PATIENT = (
    "from exporter.watch import quiet\n"
    "quiet.UNSETTLED_SECONDS = quiet.LONGEST_WAIT = float(__import__('os').environ['PATIENCE'])\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path / "project")
    project.write("cave", seed=1)
    return project


@pytest.mark.parametrize("how", ["empty", "away"])
def test_nothing_is_told_or_removed_while_a_spec_is_being_saved(project: Project, how: str) -> None:
    spec = project.spec("cave")
    old = expected_outputs("cave", level_text(1))
    with Daemon(project, before=PATIENT, PATIENCE="3") as daemon:
        if how == "empty":
            spec.write_text("")
        else:
            spec.rename(spec.with_suffix(".bak"))
        time.sleep(0.5)  # many times the quiet time after which all else is stored
        assert project.outputs() == old
        spec.write_text(level_text(2))
        event = daemon.wait_for("level", level="cave")
        assert event["status"] == "built"
        assert project.seed_on_disk("cave", 2)
        assert not daemon.of("removed", "cave")


@pytest.mark.parametrize("how", ["empty", "away"])
def test_what_stays_so_is_taken_for_meant(project: Project, how: str) -> None:
    spec = project.spec("cave")
    with Daemon(project, before=PATIENT, PATIENCE="0.2") as daemon:
        if how == "empty":
            spec.write_text("")
            event = daemon.wait_for("level", level="cave", status="failed")
            assert "the file is empty" in event["errors"][0]["message"]
            assert project.seed_on_disk("cave", 1)
        else:
            spec.unlink()
            daemon.wait_for("removed", level="cave")
            assert not project.outputs()


def test_a_project_is_amid_a_save_while_a_spec_is_empty_or_away(project: Project) -> None:
    store = Store(project.root, project.root / ".exporter")
    with store:
        store.manifest.put(Entry("levels/cave.level.yaml", "cave"))
    files = ProjectFiles(project.root, store, "identity")
    files.read()
    assert not files.is_amid_a_save()
    spec = project.spec("cave")
    for content in (b"", b"x"):
        spec.write_bytes(content)
        assert files.is_amid_a_save() == (not content)
    spec.unlink()
    assert files.is_amid_a_save()
    files.read()  # the spec is no longer wanted, but its outputs are still there
    assert files.is_amid_a_save()
    with store:
        store.manifest.drop("levels/cave.level.yaml")
    assert not files.is_amid_a_save()
