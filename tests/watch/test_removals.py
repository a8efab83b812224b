"""A watch removes the outputs of deleted specs after five seconds, no sooner."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exporter.export.events import LevelResult, Removal, Stale
from exporter.store.indexes import INDEX
from exporter.watch.loop import GRACE_SECONDS
from simulated_watch import CAVE, SimulatedWatch


@pytest.fixture
def watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedWatch]:
    simulated = SimulatedWatch(tmp_path / "game", monkeypatch)
    yield simulated
    simulated.close()


def removals(watch: SimulatedWatch) -> list[tuple[float, str, str]]:
    events = [(when, event) for when, event in watch.events if isinstance(event, Removal)]
    return [(when, event.level, event.reason) for when, event in events]


def outputs(watch: SimulatedWatch) -> list[str]:
    files = (watch.root / "t").glob("*")
    return sorted(path.name for path in files if path.name != INDEX)


def delete(watch: SimulatedWatch, name: str = "a") -> None:
    watch.spec(name).unlink()
    watch.announce()


def test_the_outputs_of_a_deleted_spec_go_after_five_seconds(watch: SimulatedWatch) -> None:
    watch.write("b")
    watch.at(2, lambda: delete(watch))
    seen: list[bool] = []
    watch.at(2 + GRACE_SECONDS - 0.01, lambda: seen.append(watch.output("a").exists()))
    watch.run(20)
    ((when, level, reason),) = removals(watch)
    assert seen == [True]
    assert GRACE_SECONDS == 5
    assert 2 + GRACE_SECONDS <= when < 2 + GRACE_SECONDS + 0.5
    assert (level, reason) == ("a", "spec gone")
    assert outputs(watch) == ["b.ground.png", "b.tileset.png", "b.tileset.tsj", "b.tmj"]
    assert not [event for event in watch.of(Stale) if event.paths]  # only reported as removable


def test_nothing_else_that_happens_meanwhile_hastens_or_delays_it(watch: SimulatedWatch) -> None:
    watch.write("b")
    watch.at(2, lambda: delete(watch))
    for second in (3, 4, 5, 6):
        watch.at(second, lambda second=second: watch.save("b", seed=second))
    watch.run(20)
    ((when, _, _),) = removals(watch)
    assert 2 + GRACE_SECONDS <= when < 2 + GRACE_SECONDS + 0.5


def test_a_spec_that_comes_back_keeps_its_outputs(watch: SimulatedWatch) -> None:
    watch.at(2, lambda: delete(watch))
    watch.at(6.5, lambda: watch.save("a"))
    watch.run(20)
    assert removals(watch) == []
    assert watch.results("a") == [(0, "built")]
    assert "a.tmj" in outputs(watch)


def test_the_time_begins_anew_when_a_spec_goes_again(watch: SimulatedWatch) -> None:
    watch.at(2, lambda: delete(watch))
    watch.at(5, lambda: watch.save("a"))
    watch.at(6, lambda: delete(watch))
    watch.run(20)
    ((when, _, _),) = removals(watch)
    assert 6 + GRACE_SECONDS <= when < 6 + GRACE_SECONDS + 0.5


def test_a_spec_of_another_name_within_the_time_takes_the_outputs(watch: SimulatedWatch) -> None:
    def picture(name: str) -> int:
        return (watch.root / "t" / f"{name}.ground.png").stat().st_ino

    inodes: list[int] = []
    watch.at(1, lambda: inodes.append(picture("a")))
    watch.at(2, lambda: delete(watch))
    watch.at(6, lambda: watch.save("z"))  # the same content
    watch.run(20)
    assert [(level, reason) for _, level, reason in removals(watch)] == [("z", "renamed")]
    assert outputs(watch) == ["z.ground.png", "z.tileset.png", "z.tileset.tsj", "z.tmj"]
    assert inodes == [picture("z")]  # moved, not rewritten


def test_a_spec_of_another_name_later_is_another_spec(watch: SimulatedWatch) -> None:
    watch.at(2, lambda: delete(watch))
    watch.at(9, lambda: watch.save("z"))
    watch.run(20)
    assert [(level, reason) for _, level, reason in removals(watch)] == [("a", "spec gone")]


@pytest.mark.parametrize("empty", [True, False])
def test_a_folder_that_is_unmounted_removes_nothing(watch: SimulatedWatch, empty: bool) -> None:
    def unmount() -> None:
        (watch.root / "levels").rename(watch.root / "away")
        if empty:
            (watch.root / "levels").mkdir()
        watch.announce()

    watch.at(2, unmount)
    watch.run(60)
    assert removals(watch) == []
    assert "a.tmj" in outputs(watch)
    assert [event.paths for event in watch.of(Stale) if event.paths]  # and that is reported


def test_a_folder_that_is_mounted_again_is_as_before(watch: SimulatedWatch) -> None:
    def mount() -> None:
        (watch.root / "levels").rmdir()
        (watch.root / "away").rename(watch.root / "levels")
        watch.announce()

    def unmount() -> None:
        (watch.root / "levels").rename(watch.root / "away")
        (watch.root / "levels").mkdir()
        watch.announce()

    watch.at(2, unmount)
    watch.at(30, mount)
    watch.run(60)
    assert removals(watch) == []
    assert watch.results("a") == [(0, "built")]
    reported = [event.paths for event in watch.of(Stale)]
    assert reported[-1] == ()


@pytest.mark.parametrize(
    "text",
    [
        "levels: elsewhere/*\ntargets:\n  tiled: {path: t, blob: false}\n",
        "targets:\n  tiled: {path: other, blob: false}\n",
        "targets:\n  tiled2: {engine: ldtk, path: t, forms: [simple]}\n",
    ],
)
def test_settings_remove_nothing(watch: SimulatedWatch, text: str) -> None:
    before: list[str] = []

    def change() -> None:
        before.extend(outputs(watch))
        (watch.root / "exporter.yaml").write_text(text)
        watch.announce()

    watch.at(2, change)
    watch.run(60)
    assert not [event for event in watch.of(Removal) if event.paths]
    assert set(before) <= set(outputs(watch))
    reported = [event.paths for event in watch.of(Stale) if event.paths]
    assert reported[-1] == tuple(f"t/{name}" for name in before)


def test_an_edited_output_is_reported_once_and_stays(watch: SimulatedWatch) -> None:
    from exporter.export.events import PreservedOutputs

    watch.at(2, lambda: watch.output("a").write_text("mine"))
    watch.at(200, lambda: watch.save("a", seed=2))
    watch.at(300, lambda: delete(watch))
    watch.run(400)
    assert watch.output("a").read_text() == "mine"
    assert [event.paths for event in watch.of(PreservedOutputs)] == [("t/a.tmj",)]
    (removal,) = watch.of(Removal)
    assert removal.preserved == ("t/a.tmj",)
    assert outputs(watch) == ["a.tmj"]


def test_a_renamed_level_takes_its_outputs_along(watch: SimulatedWatch) -> None:
    def rename() -> None:
        watch.spec("a").write_text("level: crypt\n" + CAVE.format(seed=1))
        watch.announce()

    watch.at(2, rename)
    watch.run(20)
    assert [(level, reason) for _, level, reason in removals(watch)] == [("crypt", "renamed")]
    assert [name.split(".")[0] for name in outputs(watch)] == ["crypt"] * 4


# --- held files ---------------------------------------------------------------------------------


def hold(monkeypatch: pytest.MonkeyPatch, watch: SimulatedWatch, until: float) -> list[float]:
    """Let another program hold the map of `a` until a time; return when that was noticed."""
    import os

    from exporter.store import held_files

    noticed: list[float] = []
    real = os.replace, os.unlink

    def refused(path: object) -> bool:
        if str(path).split("/")[-1] != "a.tmj" or watch.now >= until:
            return False
        noticed.append(watch.now)
        return True

    def held() -> PermissionError:
        error = PermissionError(13, "The file is used by another process")
        error.winerror = 32  # type: ignore[attr-defined]
        return error

    def replace(old: Any, new: Any, **folders: Any) -> None:
        if refused(new):
            raise held()
        real[0](old, new, **folders)

    def unlink(path: Any, **folder: Any) -> None:
        if refused(path):
            raise held()
        real[1](path, **folder)

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(os, "unlink", unlink)
    monkeypatch.setattr(held_files.time, "sleep", lambda _seconds: None)
    return noticed


def test_a_held_file_is_reported_and_written_when_it_is_let_go(
    watch: SimulatedWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.at(2, lambda: hold(monkeypatch, watch, 20))
    watch.at(3, lambda: watch.save("a", seed=2))
    watch.run(120)
    (_, first), (failed_at, failed), (built_at, built) = watch.results("a")
    assert (first, failed, built) == ("built", "failed", "built")
    assert 3 <= failed_at < 4
    assert built_at >= 20
    reported = [event for event in watch.of(LevelResult) if event.status == "failed"]
    assert "held open by another program" in reported[0].problems[0].message
    assert not list(watch.root.rglob(".*.tmp"))


def test_a_held_file_of_a_deleted_spec_goes_when_it_is_let_go(
    watch: SimulatedWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.at(2, lambda: hold(monkeypatch, watch, 20))
    watch.at(3, lambda: delete(watch))
    watch.run(120)
    reported = [event for event in watch.of(Removal) if event.held]
    assert {event.held for event in reported} == {("t/a.tmj",)}
    assert outputs(watch) == []
    assert removals(watch)[-1][0] >= 20
