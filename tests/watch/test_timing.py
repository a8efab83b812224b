"""When the daemon looks at files: quiet times, early looks, rescans, checkouts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exporter.watch import checkout as checkout_module
from exporter.watch.checkout import Checkout
from exporter.watch.debounce import (
    DEBOUNCE_SECONDS,
    EARLY_SECONDS,
    LONGEST_WAIT,
    UNSETTLED_SECONDS,
    PendingChange,
)
from exporter.watch.rescans import (
    PAUSE_FACTOR,
    PAUSE_SECONDS,
    POLL_FACTOR,
    POLL_SECONDS,
    Rescans,
)


def test_files_settle_some_time_after_the_last_event() -> None:
    change = PendingChange(began=10.0)
    assert change.debounced_at(10.01) == pytest.approx(10.01 + DEBOUNCE_SECONDS)
    # An event before the change was noticed counts from the noticing.
    assert change.debounced_at(5.0) == pytest.approx(10.0 + DEBOUNCE_SECONDS)


def test_a_spec_in_mid_save_is_waited_for_longer() -> None:
    change = PendingChange(began=10.0, unsettled=True)
    assert change.debounced_at(10.0) == pytest.approx(10.0 + UNSETTLED_SECONDS)


def test_no_change_is_waited_out_for_longer_than_the_longest_wait() -> None:
    change = PendingChange(began=10.0)
    assert change.debounced_at(10.0 + 100) == pytest.approx(10.0 + LONGEST_WAIT)
    change.unsettled = True
    assert change.debounced_at(10.0 + 100) == pytest.approx(10.0 + LONGEST_WAIT)


def test_people_wait_for_half_a_second_at_most_and_longer_for_a_save_that_is_amiss() -> None:
    assert 0 < EARLY_SECONDS < DEBOUNCE_SECONDS < UNSETTLED_SECONDS < LONGEST_WAIT <= 0.5


def test_there_are_a_few_early_looks_each_after_a_new_event() -> None:
    change = PendingChange(began=10.0)
    for number in range(3):
        event = 10.0 + number
        assert change.early_at(event) == pytest.approx(event + EARLY_SECONDS)
        assert change.early_at(event, complete=True) == event
        change.note_early_look(event)
        assert change.early_at(event) == float("inf")  # nothing new since
        assert change.early_looks == number + 1
    assert change.early_at(100.0) == float("inf")


def test_rescans_pause_the_longer_the_more_they_cost() -> None:
    rescans = Rescans()
    assert rescans.is_full(0.0)  # before the first one was planned
    rescans.plan(100.0, full=True, polling=False)
    assert rescans.next_full == 100.0 + PAUSE_SECONDS
    assert rescans.next == 100.0 + PAUSE_SECONDS
    rescans.note(True, 0.5)
    rescans.note(False, 0.01)
    rescans.plan(200.0, full=True, polling=False)
    assert rescans.next_full == 200.0 + PAUSE_FACTOR * 0.5
    assert rescans.next == pytest.approx(200.0 + PAUSE_FACTOR * 0.01)
    assert not rescans.is_full(rescans.next_full - 0.1)
    assert rescans.is_full(rescans.next_full)


def test_a_scan_of_the_specs_leaves_the_next_full_one_where_it_is() -> None:
    rescans = Rescans(next_full=101.0)
    rescans.plan(100.0, full=False, polling=False)
    assert rescans.next_full == 101.0
    assert rescans.next == 101.0  # a full scan sees the specs, too


def test_polling_scans_more_often() -> None:
    rescans = Rescans(next_full=1000.0)
    rescans.plan(100.0, full=False, polling=True)
    assert rescans.next == 100.0 + POLL_SECONDS
    rescans.note(False, 0.1)
    rescans.plan(100.0, full=False, polling=True)
    assert rescans.next == pytest.approx(100.0 + POLL_FACTOR * 0.1)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(checkout_module, "monotonic", lambda: now[0])
    return now


def test_a_checkout_is_waited_for_and_not_for_ever(tmp_path: Path, clock: list[float]) -> None:
    project = tmp_path / "game" / "project"
    project.mkdir(parents=True)
    checkout = Checkout(project)
    assert not checkout.is_running()  # no repository at all
    (tmp_path / "game" / ".git").mkdir()
    assert not checkout.is_running()  # no lock
    lock = tmp_path / "game" / ".git" / "index.lock"
    lock.touch()
    assert checkout.is_running()
    clock[0] += 9.9
    assert checkout.is_running()
    clock[0] += 0.1
    assert not checkout.is_running()
    clock[0] += 100
    assert not checkout.is_running()
    # Another lock is another checkout.
    lock.unlink()
    assert not checkout.is_running()
    lock.write_text("x")
    os.utime(lock, ns=(1, 1))
    assert checkout.is_running()


def test_the_nearest_repository_counts(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "index.lock").touch()
    assert not Checkout(project).is_running()
