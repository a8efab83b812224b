"""Whatever way a file is saved, its level is exported once it is whole, and nothing else is."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon_harness import DEADLINE, Daemon, Project, expected_outputs, level_text, wait_until

# Lost outputs are found by scans, which are seconds apart otherwise.
HASTY = (
    "from exporter.watch import rescans\nrescans.PAUSE_SECONDS = 0.25\nrescans.PAUSE_FACTOR = 8\n"
)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    project = Project(tmp_path_factory.mktemp("project"))
    project.write("first")
    with Daemon(project, before=HASTY) as running:
        yield running


def _saved(daemon: Daemon, name: str, seed: int) -> None:
    wait_until(lambda: daemon.project.seed_on_disk(name, seed), f"{name} with seed {seed}")


def test_a_save_in_place_exports_the_level_alone(daemon: Daemon) -> None:
    daemon.project.write("inplace", seed=1)
    daemon.wait_for("level", level="inplace", status="built")
    before = len(daemon.of("level", "first"))
    daemon.project.write("inplace", seed=2)
    event = daemon.wait_for("level", level="inplace", status="built")
    _saved(daemon, "inplace", 2)
    assert len(daemon.of("level", "first")) == before
    assert event["causes"] == ["levels/inplace.level.yaml"]
    assert event["milliseconds"] > 0
    assert set(event["written"]) <= {output["path"] for output in event["outputs"]}


def test_the_way_vim_saves_is_no_deletion(daemon: Daemon) -> None:
    spec = daemon.project.write("vim", seed=1)
    daemon.wait_for("level", level="vim", status="built")
    backup = spec.with_name(spec.name + "~")
    spec.rename(backup)
    spec.write_text(level_text(2))
    backup.unlink()
    _saved(daemon, "vim", 2)
    assert not daemon.of("removed", "vim")


def test_the_way_jetbrains_saves_is_no_deletion(daemon: Daemon) -> None:
    spec = daemon.project.write("idea", seed=1)
    daemon.wait_for("level", level="idea", status="built")
    new, old = spec.with_name("x___jb_tmp___"), spec.with_name("x___jb_old___")
    new.write_text(level_text(2))
    spec.rename(old)
    new.rename(spec)
    old.unlink()
    _saved(daemon, "idea", 2)
    assert not daemon.of("removed", "idea")


def test_a_file_that_replaces_another_is_exported_once(daemon: Daemon, tmp_path: Path) -> None:
    spec = daemon.project.write("swap", seed=1)
    daemon.wait_for("level", level="swap", status="built")
    for seed, folder in ((2, spec.parent), (3, tmp_path)):
        new = folder / "new.tmp"
        new.write_text(level_text(seed))
        os.replace(new, spec)
        _saved(daemon, "swap", seed)
    daemon.fence()
    assert len(daemon.of("level", "swap")) == 3


def test_touching_reading_and_saving_the_same_again_export_nothing(daemon: Daemon) -> None:
    spec = daemon.project.write("same", seed=1)
    daemon.wait_for("level", level="same", status="built")
    os.utime(spec)
    daemon.fence()
    spec.read_bytes()
    daemon.fence()
    os.replace(shutil.copy(spec, spec.with_name("copy.tmp")), spec)
    daemon.fence()
    assert len(daemon.of("level", "same")) == 1


def test_a_comment_rewrites_no_output(daemon: Daemon) -> None:
    spec = daemon.project.write("remark", seed=1)
    daemon.wait_for("level", level="remark", status="built")
    scene = daemon.project.root / "godot/levels/remark.tscn"
    before = scene.stat().st_mtime_ns
    spec.write_text(level_text(1) + "# nothing\n")
    event = daemon.wait_for("level", level="remark", status="built")
    assert event["written"] == []
    assert scene.stat().st_mtime_ns == before


def test_change_with_any_time_and_the_old_size_is_seen(daemon: Daemon) -> None:
    spec = daemon.project.write("backdated", seed=1)
    scene = daemon.project.root / "godot" / "levels" / "backdated.tscn"
    daemon.wait_for("level", level="backdated", status="built")
    status, seconds = spec.stat(), [int(scene.stat().st_mtime)]
    for seed, time_of_file in ((7, status.st_mtime_ns), (8, 10**18), (9, 4 * 10**18)):
        new = spec if seed == 7 else spec.with_name("new.tmp")
        new.write_text(level_text(seed))
        os.utime(new, ns=(time_of_file, time_of_file))
        assert new.stat().st_size == status.st_size
        if new != spec:
            os.replace(new, spec)
        _saved(daemon, "backdated", seed)
        seconds.append(int(scene.stat().st_mtime))
    # Files that change twice in a second get later whole seconds: engines ignore fractions.
    assert len(set(seconds)) == len(seconds)
    assert seconds == sorted(seconds)


def test_a_slowly_written_spec_ends_with_its_last_content(daemon: Daemon) -> None:
    text = level_text(5) + "".join(f"# line {number}\n" for number in range(40))
    with open(daemon.project.spec("slow"), "w") as file:
        for line in text.splitlines(keepends=True):
            file.write(line)
            file.flush()
            time.sleep(0.02)
    _saved(daemon, "slow", 5)


def test_a_writer_that_never_stops_does_not_delay_others_for_ever(daemon: Daemon) -> None:
    noise = daemon.project.root / "levels" / "noise.txt"
    daemon.project.write("patient", seed=3)
    limit = time.monotonic() + DEADLINE
    while not daemon.project.seed_on_disk("patient", 3):
        noise.write_text(str(time.monotonic()))
        assert time.monotonic() < limit
        time.sleep(0.005)


def test_an_error_is_reported_once_and_keeps_the_old_outputs(daemon: Daemon) -> None:
    spec = daemon.project.write("broken", seed=1)
    daemon.wait_for("level", level="broken", status="built")
    spec.write_text("size: [12, 12]\nlayers: {ground: {generator: cellular_cave}}\n")
    event = daemon.wait_for("level", level="broken", status="failed")
    assert "did you mean 'cellular_caves'" in event["errors"][0]["message"]
    assert event["errors"][0]["line"] == 2
    daemon.fence()
    assert daemon.project.seed_on_disk("broken", 1)
    assert len(daemon.of("level", "broken")) == 2
    daemon.project.write("broken", seed=2)
    _saved(daemon, "broken", 2)


def test_a_removed_spec_takes_its_outputs_and_nothing_else(daemon: Daemon) -> None:
    spec = daemon.project.write("gone", seed=1)
    daemon.wait_for("level", level="gone", status="built")
    own = daemon.project.root / "tiled" / "gone.notes.txt"
    own.write_text("mine")
    edited = daemon.project.root / "tiled" / "gone.ground.png"
    edited.write_bytes(b"edited by hand")
    spec.unlink()
    event = daemon.wait_for("removed", level="gone")
    left = {path.name for path in daemon.project.root.rglob("gone.*")}
    assert left == {"gone.notes.txt", "gone.ground.png"}
    assert event["kept"] == ["tiled/gone.ground.png"]
    daemon.project.write("gone", seed=1)
    event = daemon.wait_for("level", level="gone", status="built")
    assert event["kept"] == ["tiled/gone.ground.png"]
    assert edited.read_bytes() == b"edited by hand"
    edited.unlink()
    event = daemon.wait_for("level", level="gone", status="built")
    assert (event["written"], event["kept"]) == (["tiled/gone.ground.png"], [])
    own.unlink()


def test_an_output_that_was_removed_comes_back_and_an_edited_one_is_preserved(
    daemon: Daemon,
) -> None:
    daemon.project.write("restored", seed=1)
    daemon.wait_for("level", level="restored", status="built")
    (daemon.project.root / "tiled" / "restored.tmj").unlink()
    event = daemon.wait_for("level", level="restored", status="built")
    assert event["written"] == ["tiled/restored.tmj"]
    (daemon.project.root / "tiled" / "restored.tmj").write_text("{}")
    event = daemon.wait_for("kept", level="restored")
    assert event["kept"] == ["tiled/restored.tmj"]
    assert (daemon.project.root / "tiled" / "restored.tmj").read_text() == "{}"
    (daemon.project.root / "tiled" / "restored.tmj").unlink()
    daemon.wait_for("level", level="restored", status="built")
    assert daemon.project.seed_on_disk("restored", 1)


def test_folders_come_go_and_are_renamed_with_their_specs(daemon: Daemon, tmp_path: Path) -> None:
    levels = daemon.project.root / "levels"
    daemon.project.write("deep/er/nested", seed=1)
    wait_until(lambda: daemon.project.seed_on_disk("nested", 1))
    (levels / "deep").rename(levels / "renamed")
    daemon.wait_for("level", level="nested", spec="levels/renamed/er/nested.level.yaml")
    assert daemon.project.seed_on_disk("nested", 1)
    assert not daemon.of("removed", "nested")
    outside = tmp_path / "outside"
    (levels / "renamed").rename(outside)
    stale = daemon.wait_for("stale")["paths"]
    assert "tiled/nested.tmj" in stale  # a folder that is moved away removes nothing
    assert daemon.project.seed_on_disk("nested", 1)
    (outside / "er/nested.level.yaml").write_text(level_text(2))
    daemon.fence()
    assert not daemon.project.seed_on_disk("nested", 2)
    outside.rename(levels / "back")
    wait_until(lambda: daemon.project.seed_on_disk("nested", 2))
    (levels / "back/er/nested.level.yaml").write_text(level_text(3))
    wait_until(lambda: daemon.project.seed_on_disk("nested", 3))


def test_two_specs_of_one_name_are_both_named_and_write_nothing(daemon: Daemon) -> None:
    spec = daemon.project.write("Twin", seed=1)
    daemon.wait_for("level", level="Twin", status="built")
    daemon.project.write("other/twin", seed=2)
    event = daemon.wait_for("level", level="twin", status="failed")
    assert "levels/Twin.level.yaml" in event["errors"][0]["message"]
    daemon.fence()
    assert daemon.project.seed_on_disk("Twin", 1)
    spec.unlink()
    # It replaces the other one, with the uids of its files.
    expected = expected_outputs("twin", level_text(2))["tiled/twin.tmj"]
    wait_until(lambda: (daemon.project.root / "tiled" / "twin.tmj").read_bytes() == expected)
    wait_until(lambda: not list(daemon.project.root.rglob("Twin.*")))


def test_links_to_specs_and_folders_are_followed(daemon: Daemon, tmp_path: Path) -> None:
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "far.level.yaml").write_text(level_text(1))
    (tmp_path / "alone.yaml").write_text(level_text(1))
    levels = daemon.project.root / "levels"
    (levels / "link").symlink_to(tmp_path / "linked")
    (levels / "loop").symlink_to(levels)
    daemon.project.spec("single").symlink_to(tmp_path / "alone.yaml")
    wait_until(lambda: daemon.project.seed_on_disk("far", 1))
    wait_until(lambda: daemon.project.seed_on_disk("single", 1))
    (tmp_path / "linked" / "far.level.yaml").write_text(level_text(2))
    (tmp_path / "alone.yaml").write_text(level_text(2))
    wait_until(lambda: daemon.project.seed_on_disk("far", 2))
    wait_until(lambda: daemon.project.seed_on_disk("single", 2))
    for path in ("link", "loop", "single.level.yaml"):
        (levels / path).unlink()
    daemon.wait_for("removed")


def test_what_is_left_at_the_end_is_true(daemon: Daemon) -> None:
    daemon.fence()
    wait_until(lambda: daemon.project.manifest().keys() == daemon.project.outputs().keys())
    daemon.project.assert_true()
