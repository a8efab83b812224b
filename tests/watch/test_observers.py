"""Observers: the folders they watch, when they are made again, and when given up."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from watchdog.events import (
    DirModifiedEvent,
    FileClosedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEventHandler,
)
from watchdog.observers.api import BaseObserver, EventEmitter

from exporter.watch import observers as module
from exporter.watch.change_signal import ChangeSignal
from exporter.watch.observers import MAXIMUM_PLACES, Observers, _places


@pytest.fixture
def signal() -> Iterator[ChangeSignal]:
    change_signal = ChangeSignal()
    yield change_signal
    change_signal.close()


@pytest.fixture
def remarks() -> list[str]:
    return []


@pytest.fixture
def observers(tmp_path: Path, signal: ChangeSignal, remarks: list[str]) -> Iterator[Observers]:
    result = Observers(signal, tmp_path, remarks.append)
    yield result
    result.stop()


def wait_for(signal: ChangeSignal, seconds: float = 60.0) -> bool:
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if signal.is_set:
            return True
        time.sleep(0.01)
    return False


def settle(signal: ChangeSignal) -> None:
    """Clear the signal once the system has reported everything."""
    time.sleep(0.2)
    signal.clear()


def test_whole_trees_swallow_the_folders_in_them(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "c").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    result = _places(
        [tmp_path / "a", tmp_path / "a" / "b", tmp_path / "link", tmp_path / "missing"],
        [tmp_path / "a" / "b", tmp_path / "c", tmp_path / "missing"],
    )
    assert result == {str(tmp_path / "a"): True, str(tmp_path / "c"): False}


def test_no_more_places_are_observed_than_the_maximum(tmp_path: Path) -> None:
    folders = [tmp_path / str(number) for number in range(MAXIMUM_PLACES + 5)]
    for folder in folders:
        folder.mkdir()
    assert len(_places(folders, [])) == MAXIMUM_PLACES


def test_the_signal_has_the_paths_of_saved_and_renamed_files(
    tmp_path: Path, observers: Observers, signal: ChangeSignal
) -> None:
    (tmp_path / "draft").write_text("1")
    observers.observe([tmp_path], [])
    settle(signal)
    (tmp_path / "spec").write_text("2")
    (tmp_path / "draft").rename(tmp_path / "other")
    expected = {str(tmp_path.resolve() / name) for name in ("spec", "draft", "other")}
    limit = time.monotonic() + 60
    while not expected <= set(signal.paths) and time.monotonic() < limit:
        time.sleep(0.01)
    assert expected <= set(signal.paths)


def test_an_event_sets_the_signal_and_a_look_does_not(
    tmp_path: Path, observers: Observers, signal: ChangeSignal
) -> None:
    spec = tmp_path / "spec"
    spec.write_text("1")
    observers.observe([tmp_path], [])
    assert signal.is_set  # earlier events were not observed
    assert signal.last_event == float("-inf")
    settle(signal)
    spec.read_text()
    assert not wait_for(signal, 0.3)
    spec.write_text("2")
    assert wait_for(signal)
    assert signal.last_event > float("-inf")


def test_our_own_notes_do_not_wake_us(
    tmp_path: Path, observers: Observers, signal: ChangeSignal
) -> None:
    (tmp_path / ".exporter").mkdir()
    observers.observe([tmp_path], [])
    settle(signal)
    (tmp_path / ".exporter" / "status.json").write_text("{}")
    assert not wait_for(signal, 0.3)


def test_the_same_places_are_observed_once(tmp_path: Path, observers: Observers) -> None:
    observers.observe([tmp_path], [])
    first = observers._observer
    observers.observe([tmp_path], [])
    assert observers._observer is first
    (tmp_path / "more").mkdir()
    observers.observe([tmp_path / "more"], [])
    second = observers._observer
    assert second is not first
    assert first is not None
    assert not first.is_alive()
    observers.observe([], [tmp_path / "more"])  # the folder alone, no longer its tree
    assert observers._observer is not second


def test_stopping_waits_for_the_end_of_the_observer_and_its_faults_are_no_matter(
    observers: Observers, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    class Faulty:
        def stop(self) -> None:
            calls.append("stop")

        def join(self, _timeout: float) -> None:
            calls.append("join")
            raise RuntimeError("cannot join thread before it is started")

    monkeypatch.setattr(observers, "_observer", Faulty())
    observers.stop()
    observers.stop()  # nothing is left to stop
    assert calls == ["stop", "join"]


def test_a_folder_that_was_replaced_is_observed_anew(
    tmp_path: Path, observers: Observers, signal: ChangeSignal
) -> None:
    levels = tmp_path / "levels"
    levels.mkdir()
    observers.observe([levels], [])
    first = observers._observer
    levels.rename(tmp_path / "old")
    levels.mkdir()
    observers.observe([levels], [])
    assert observers._observer is not first
    settle(signal)
    (levels / "spec").write_text("1")
    assert wait_for(signal)


def test_a_dead_observer_is_replaced(
    tmp_path: Path, observers: Observers, signal: ChangeSignal
) -> None:
    observers.observe([tmp_path], [])
    dead = observers._observer
    assert dead is not None
    dead.stop()
    dead.join(5)
    observers.observe([tmp_path], [])
    assert observers._observer is not dead
    settle(signal)
    (tmp_path / "spec").write_text("1")
    assert wait_for(signal)


def test_a_dead_emitter_counts_as_a_dead_observer(tmp_path: Path, observers: Observers) -> None:
    observers.observe([tmp_path], [])
    first = observers._observer
    assert first is not None
    for emitter in first.emitters:
        emitter.stop()
        emitter.join(5)
    observers.observe([tmp_path], [])
    assert observers._observer is not first


def test_a_system_without_events_is_polled_and_reported_once(
    tmp_path: Path,
    observers: Observers,
    remarks: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(places: dict[str, bool]) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(observers, "_start", refuse)
    observers.observe([tmp_path], [])
    assert observers.polling
    assert remarks == [
        "no change events here (Too many open files): looking at the files regularly instead"
    ]
    observers.give_up("again")
    observers.observe([tmp_path], [])
    assert len(remarks) == 1
    assert observers._observer is None


def test_nothing_is_observed_while_polling(
    tmp_path: Path, observers: Observers, signal: ChangeSignal
) -> None:
    observers.polling = True
    observers.observe([tmp_path], [])
    assert observers._observer is None
    assert not signal.is_set


def test_a_warning_of_the_observer_sets_the_signal(
    tmp_path: Path, observers: Observers, signal: ChangeSignal, monkeypatch: pytest.MonkeyPatch
) -> None:
    logger = logging.getLogger("watchdog")
    monkeypatch.setattr(logger, "handlers", [])
    observers.observe([tmp_path], [])
    settle(signal)
    logger.info("nothing")
    assert not signal.is_set
    logger.warning("the queue ran over")
    assert signal.is_set
    module._watch_the_log(signal)
    assert len(logger.handlers) == 1


def test_an_observer_that_cannot_be_started_is_ended(
    tmp_path: Path, observers: Observers, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[bool] = []

    class Refusing:
        def schedule(self, handler: object, path: str, *, recursive: bool) -> None:
            raise OSError(28, "No space left on device")

        def stop(self) -> None:
            stopped.append(True)
            raise RuntimeError("cannot join thread before it is started")

    monkeypatch.setattr("watchdog.observers.Observer", Refusing)
    observers.observe([tmp_path], [])
    assert stopped == [True]
    assert observers.polling


def test_closing_and_moving_complete_a_save_and_the_folders_event_leaves_it_so(
    tmp_path: Path, signal: ChangeSignal, observers: Observers, monkeypatch: pytest.MonkeyPatch
) -> None:
    handlers: list[FileSystemEventHandler] = []

    class Capturing(BaseObserver):
        def __init__(self) -> None:
            super().__init__(EventEmitter)

        def schedule(self, handler: FileSystemEventHandler, *_: object, **__: object) -> None:
            handlers.append(handler)

    monkeypatch.setattr("watchdog.observers.Observer", Capturing)
    observers.observe([tmp_path], [])
    spec = str(tmp_path / "spec")
    for event, is_complete in (
        (FileModifiedEvent(spec), False),
        (FileClosedEvent(spec), True),
        (DirModifiedEvent(str(tmp_path)), True),
        (FileModifiedEvent(spec), False),
        (DirModifiedEvent(str(tmp_path)), False),
        (FileMovedEvent(f"{spec}~", spec), True),
    ):
        handlers[0].dispatch(event)
        assert signal.is_complete == is_complete, event
