"""Disks that are full, folders that cannot be written or vanish: the old outputs stay whole."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import run
from daemon_harness import Daemon, Project, expected_outputs, level_text, wait_until


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("a small file system can be mounted by the administrator only")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _fill(folder: Path, name: str = "filler") -> Path:
    filler = folder / name
    with open(filler, "wb", buffering=0) as file:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError:
                continue
    return filler


def test_a_full_disk_keeps_the_old_outputs_and_recovers(small_disk: Path) -> None:
    project = Project(small_disk / "project")
    project.write("cave", seed=1, size=40)
    assert project.export().returncode == 0
    shutil.rmtree(project.root / ".exporter" / "cache")
    project.spec("cave").write_text(level_text(2, size=40))
    filler = _fill(small_disk)
    result = project.export()
    assert result.returncode == 1, result.stderr
    assert "Traceback" not in result.stderr
    assert project.outputs() == expected_outputs("cave", level_text(1, size=40))
    filler.unlink()
    assert project.export().returncode == 0
    assert project.outputs() == expected_outputs("cave", level_text(2, size=40))
    project.assert_true()


def test_a_daemon_outlives_a_full_disk(small_disk: Path) -> None:
    project = Project(small_disk / "project")
    project.write("cave", seed=1, size=40)
    spare = project.root / "spare"
    spare.write_bytes(bytes(8192))
    with Daemon(project) as daemon:
        assert project.seed_on_disk("cave", 1, size=40)
        shutil.rmtree(project.root / ".exporter" / "cache", ignore_errors=True)
        filler = _fill(small_disk)
        spare.unlink()
        project.write("cave", seed=2, size=40)
        more = _fill(small_disk, "more")
        daemon.wait_for("level", level="cave")
        for path, data in project.outputs().items():
            old = expected_outputs("cave", level_text(1, size=40))[path]
            new = expected_outputs("cave", level_text(2, size=40))[path]
            assert data in (old, new)
        filler.unlink()
        more.unlink()
        wait_until(lambda: project.seed_on_disk("cave", 2, size=40))
        daemon.fence()
    project.assert_true()


def test_an_output_folder_that_cannot_be_written_is_an_error_and_recovers(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    project.write("cave", seed=1)
    (project.root / "tiled").write_text("a file where the folder should be")
    with Daemon(project) as daemon:
        event = daemon.events[0]
        assert event["status"] == "failed"
        assert "tiled" in event["errors"][0]["message"]
        (project.root / "tiled").unlink()
        wait_until(lambda: project.seed_on_disk("cave", 1))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_target_is_an_error_and_recovers(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    project.write("cave", seed=1)
    assert project.export().returncode == 0
    (project.root / "tiled").chmod(0o555)
    project.write("cave", seed=2)
    assert project.export().returncode == 1
    assert project.seed_on_disk("cave", 1)
    (project.root / "tiled").chmod(0o755)
    assert project.export().returncode == 0
    assert project.seed_on_disk("cave", 2)


def test_a_target_folder_that_is_deleted_comes_back(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    project.write("cave", seed=1)
    with Daemon(project) as daemon:
        # At once: the daemon would write into a folder that is emptied file by file.
        (project.root / "godot").rename(tmp_path / "godot")
        wait_until(lambda: project.seed_on_disk("cave", 1))
        daemon.fence()
        (project.root / "tiled").rename(tmp_path / "tiled")
        project.write("cave", seed=2)
        wait_until(lambda: project.seed_on_disk("cave", 2))
        daemon.fence()
    project.assert_true()


def test_the_state_folder_may_be_deleted_at_any_time(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    project.write("cave", seed=1)
    with Daemon(project) as daemon:
        (project.root / ".exporter").rename(tmp_path / "state")
        project.write("cave", seed=2)
        wait_until(lambda: project.seed_on_disk("cave", 2))
        daemon.fence()
        project.assert_true()
        # It is still the one daemon of the project.
        wait_until(lambda: (project.root / ".exporter" / "watch.lock").exists())
        assert run("watch", str(project.root)).returncode == 2


def test_a_project_that_vanishes_is_not_created_again_but_waited_for(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    project.write("cave", seed=1)
    with Daemon(project) as daemon:
        project.root.rename(tmp_path / "away")
        daemon.wait_for("error")
        assert not project.root.exists()
        Project(project.root).write("other", seed=3)
        wait_until(lambda: project.seed_on_disk("other", 3))
        project.write("other", seed=4)
        wait_until(lambda: project.seed_on_disk("other", 4))
        project.root.rename(tmp_path / "second")
        daemon.wait_for("error")
        (tmp_path / "away").rename(project.root)
        wait_until(lambda: project.seed_on_disk("cave", 1))
        project.write("cave", seed=5)
        wait_until(lambda: project.seed_on_disk("cave", 5))


def test_a_spec_folder_that_is_deleted_and_created_again_is_heard_again(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    project.write("cave", seed=1)
    with Daemon(project) as daemon:
        shutil.rmtree(project.root / "levels")
        stale = daemon.wait_for("stale")["paths"]
        assert set(stale) == set(project.outputs())  # the folder is missing, not a single spec
        assert project.seed_on_disk("cave", 1)
        project.write("cave", seed=2)
        wait_until(lambda: project.seed_on_disk("cave", 2))
        project.write("cave", seed=3)
        wait_until(lambda: project.seed_on_disk("cave", 3))
        assert not [event for event in daemon.events if event["event"] == "remark"]


def test_a_damaged_manifest_costs_a_rebuild_and_nothing_else(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    project.write("cave", seed=1)
    assert project.export().returncode == 0
    manifest = project.root / ".exporter" / "manifest.json"
    for damage in (b"", b"{", b"[]", manifest.read_bytes()[:-40], b'{"version": 99}'):
        manifest.write_bytes(damage)
        result = project.export()
        assert result.returncode == 0, result.stderr
        assert project.outputs() == expected_outputs("cave", level_text(1))
        project.assert_true()
