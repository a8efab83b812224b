"""When the loop scans, builds, stores, reports and tidies up, on a moved clock."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from exporter.export.events import BatchDone, LevelResult, Ready, Refusal, Remark, Removal, Upkeep
from exporter.model.errors import StoreError
from exporter.model.exit_codes import ExitCode
from exporter.watch import loop as loop_module
from exporter.watch.debounce import (
    COMPLETE_SECONDS,
    DEBOUNCE_SECONDS,
    EARLY_SECONDS,
    UNSETTLED_SECONDS,
)
from exporter.watch.lock import LOCK, claim_project
from exporter.watch.loop import GRACE_SECONDS
from simulated_watch import SimulatedWatch

A = "levels/a.level.yaml"
B = "levels/b.level.yaml"


@pytest.fixture
def watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedWatch]:
    simulated_watch = SimulatedWatch(tmp_path / "game", monkeypatch)
    yield simulated_watch
    simulated_watch.close()


# --- a save -------------------------------------------------------------------------------------


def test_a_save_is_built_early_and_stored_after_the_debounce(watch: SimulatedWatch) -> None:
    watch.at(1.0, lambda: watch.save("a", seed=2))
    watch.run(1.5)
    assert watch.workers.submitted == [(0.0, A), (1.0 + EARLY_SECONDS, A)]
    assert watch.results("a") == [(0.0, "built"), (1.0 + DEBOUNCE_SECONDS, "built")]
    assert watch.of(LevelResult)[1].elapsed == pytest.approx(DEBOUNCE_SECONDS)


def test_the_end_of_a_save_is_stored_sooner(watch: SimulatedWatch) -> None:
    watch.at(1.0, lambda: watch.save("a", seed=2), lambda: watch.announce(complete=True))
    watch.run(1.5)
    assert watch.results("a") == [(0.0, "built"), (1.0 + COMPLETE_SECONDS, "built")]


def test_a_level_slower_than_the_debounce_is_stored_when_built(
    watch: SimulatedWatch,
) -> None:
    watch.workers.seconds = 0.25
    watch.at(1.0, lambda: watch.save("a", seed=2))
    watch.run(1.5)
    assert watch.results("a") == [(0.25, "built"), (1.25 + EARLY_SECONDS, "built")]
    assert watch.of(LevelResult)[1].elapsed == pytest.approx(0.25 + EARLY_SECONDS)


def test_an_early_look_neither_settles_nor_reads_outputs(watch: SimulatedWatch) -> None:
    watch.at(1.0, watch.output("a").unlink, watch.announce)
    watch.run(1.5)
    assert watch.looks[1:] == [(1.0 + EARLY_SECONDS, "early"), (1.0 + DEBOUNCE_SECONDS, "quiet")]
    assert watch.workers.submitted == [(0.0, A)]


def test_an_early_look_is_reported_which_files_of_the_project_were_announced(
    watch: SimulatedWatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "a.level.yaml"
    watch.at(1.0, lambda: watch.write("a", seed=2))
    watch.at(1.0, lambda: watch.announce(elsewhere, watch.spec("a").resolve()))
    watch.run(1.5)
    early = (1.0 + EARLY_SECONDS, f"early {A}")
    assert watch.looks[1:] == [early, (1.0 + DEBOUNCE_SECONDS, "quiet")]
    assert watch.results("a") == [(0.0, "built"), (1.0 + DEBOUNCE_SECONDS, "built")]


def test_unannounced_changes_are_built_after_the_debounce(watch: SimulatedWatch) -> None:
    watch.at(1.0, lambda: watch.write("b", seed=2), lambda: watch.write("a", seed=2))
    watch.at(1.0, lambda: watch.announce(watch.spec("a").resolve()))
    watch.run(1.5)
    assert watch.workers.submitted[1:] == [
        (1.0 + EARLY_SECONDS, A),
        (1.0 + DEBOUNCE_SECONDS, "levels/b.level.yaml"),
    ]


def test_nothing_is_put_in_order_before_a_change_is_settled(watch: SimulatedWatch) -> None:
    # The time for it passes meanwhile, and the loop waits nevertheless.
    watch.at(0.9921875, lambda: watch.save("a", seed=2))
    seen: list[bool] = []
    watch.at(1.0078125, lambda: seen.append(watch.has_journal()))
    watch.run(1.5)
    assert seen == [True]
    assert len(watch.results("a")) == 2


def test_many_changed_levels_wait_for_the_debounce(
    watch: SimulatedWatch,
) -> None:
    def save(number: int) -> None:
        for index in range(number):
            watch.save(str(index), seed=number)

    watch.at(1.0, lambda: save(4))
    watch.at(2.0, lambda: save(5))
    watch.run(3.0)
    assert {when for when, _ in watch.workers.submitted} == {
        0.0,
        1.0 + EARLY_SECONDS,
        2.0 + DEBOUNCE_SECONDS,
    }


def test_an_early_look_that_fails_is_reported_only_when_the_fault_stays(
    watch: SimulatedWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    planner = watch.loop().export.planner
    read = planner.files.read

    def fail() -> None:
        read()
        raise StoreError("no such disk")

    watch.at(1.0, lambda: monkeypatch.setattr(planner.files, "read", fail), watch.announce)
    watch.at(2.0, lambda: monkeypatch.setattr(planner.files, "read", read), watch.announce)
    watch.at(3.0, watch.announce)
    watch.run(4.0)
    refused = [(when, item) for when, item in watch.events if isinstance(item, Refusal)]
    assert [when for when, _ in refused] == [1.0 + UNSETTLED_SECONDS]
    assert "no such disk" in refused[0][1].problems[0].message
    assert watch.status()["errors"] == []


def test_wrong_settings_are_looked_at_for_longer_and_reported_once(watch: SimulatedWatch) -> None:
    settings = watch.root / "exporter.yaml"
    good = settings.read_text()
    watch.at(1.0, lambda: settings.write_text("targets: {}\n"), watch.announce)
    watch.at(2.0, lambda: settings.write_text("targets: {}\n# still\n"), watch.announce)
    watch.at(3.0, lambda: settings.write_text(good), watch.announce)
    watch.at(4.0, lambda: settings.write_text("targets: {}\n"), watch.announce)
    watch.run(5.0)
    reported = [when for when, item in watch.events if isinstance(item, Refusal)]
    assert reported == [1.0 + UNSETTLED_SECONDS, 4.0 + UNSETTLED_SECONDS]


def test_a_reverted_fault_leaves_the_status(watch: SimulatedWatch) -> None:
    settings = watch.root / "exporter.yaml"
    good = settings.read_text()
    errors: list[list[str]] = []
    watch.at(1.0, lambda: settings.write_text("targets: {}\n"), watch.announce)
    watch.at(2.0, lambda: errors.append(watch.status()["errors"]))
    watch.at(2.0, lambda: settings.write_text(good), watch.announce)
    watch.at(3.0, lambda: errors.append(watch.status()["errors"]))
    watch.run(3.5)
    assert len(errors[0]) == 1
    assert errors[1] == []


def test_a_level_that_is_stale_no_more_is_built_no_more(watch: SimulatedWatch) -> None:
    watch.at(1.0, lambda: setattr(watch.workers, "seconds", 0.5))
    watch.at(1.0, lambda: watch.save("a", seed=2), lambda: watch.save("b"))
    watch.at(1.25, lambda: watch.save("a"), watch.spec("b").unlink)
    watch.run(3.0)
    assert watch.workers.cancelled == [(1.25 + DEBOUNCE_SECONDS, A), (1.25 + DEBOUNCE_SECONDS, B)]
    assert watch.results("a") == [(0.0, "built")]
    assert not watch.results("b")
    assert not watch.output("b").exists()


def test_a_newer_save_replaces_the_one_that_is_being_built(watch: SimulatedWatch) -> None:
    watch.workers.seconds = 0.5
    watch.at(1.0, lambda: watch.save("a", seed=2))
    watch.at(1.25, lambda: watch.save("a", seed=3))
    watch.run(3.0)
    assert watch.workers.cancelled == [(1.25 + EARLY_SECONDS, A)]
    assert watch.results("a") == [(0.5, "built"), (1.75 + EARLY_SECONDS, "built")]


def test_a_change_that_nothing_announced_in_time_is_built_again_before_it_is_stored(
    watch: SimulatedWatch,
) -> None:
    watch.workers.seconds = 0.5
    watch.at(1.0, lambda: watch.save("a", seed=2))
    watch.at(1.25, lambda: watch.write("a", seed=3))
    watch.run(1.9)
    assert watch.workers.submitted[-1] == (1.5 + EARLY_SECONDS, A)
    assert watch.results("a") == [(0.5, "built")]  # of the newer one nothing yet


def test_the_status_names_what_the_last_batch_did(watch: SimulatedWatch) -> None:
    watch.write("b")
    watch.at(1.0, lambda: watch.save("a", seed=2))
    watch.run(2.0)
    assert [item["level"] for item in watch.status()["batch"]] == ["a"]
    assert [level["status"] for level in watch.levels()] == ["built", "built"]


# --- a spec in mid-save ---------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["empty", "away"])
def test_nothing_is_reported_or_removed_while_a_spec_is_being_saved(
    watch: SimulatedWatch, how: str
) -> None:
    present: list[bool] = []
    if how == "empty":
        watch.at(1.0, lambda: watch.spec("a").write_text(""))
    else:
        watch.at(1.0, watch.spec("a").unlink)
    watch.at(1.0, watch.announce)
    later = 1.0 + (DEBOUNCE_SECONDS + UNSETTLED_SECONDS) / 2
    watch.at(later, lambda: present.append(watch.output("a").exists()))
    watch.at(later, lambda: watch.save("a", seed=2))
    watch.run(2.0)
    assert present == [True]
    assert [status for _, status in watch.results("a")] == ["built", "built"]
    assert not watch.of(Removal)


def test_a_spec_that_stays_away_counts_as_deleted(watch: SimulatedWatch) -> None:
    watch.at(1.0, watch.spec("a").unlink, watch.announce)
    watch.run(8.0)
    (removed,) = [when for when, item in watch.events if isinstance(item, Removal)]
    # It is scanned when it is known to be no save, and again when it has been away for long.
    assert removed == pytest.approx(1.0 + UNSETTLED_SECONDS + GRACE_SECONDS)
    assert not watch.output("a").exists()


def test_a_spec_that_stays_empty_fails_and_keeps_its_outputs(watch: SimulatedWatch) -> None:
    watch.at(1.0, lambda: watch.spec("a").write_text(""), watch.announce)
    watch.run(2.0)
    assert watch.results("a")[1:] == [(1.0 + UNSETTLED_SECONDS, "failed")]
    assert watch.output("a").exists()


def test_a_spec_with_an_error_is_waited_for_longer(watch: SimulatedWatch) -> None:
    watch.at(1.0, lambda: watch.spec("a").write_text("size: [8"), watch.announce)
    watch.run(2.0)
    assert watch.results("a")[1:] == [(1.0 + UNSETTLED_SECONDS, "failed")]


# --- a checkout -----------------------------------------------------------------------------------


def test_nothing_is_looked_at_while_git_changes_the_tree(watch: SimulatedWatch) -> None:
    lock = watch.root / ".git" / "index.lock"
    lock.parent.mkdir()
    watch.at(1.0, lock.touch, lambda: watch.save("a", seed=2))
    watch.at(1.75, lock.unlink)
    watch.run(3.0)
    assert not [when for when, _ in watch.looks if 1.0 <= when < 1.75]
    assert len(watch.results("a")) == 2
    # It is over soon after the checkout is, and the looks of the loop have pauses between them.
    assert 1.75 < watch.results("a")[1][0] < 2.0


def test_a_checkout_is_requested_after_with_pauses(
    watch: SimulatedWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested: list[float] = []

    def runs() -> bool:
        requested.append(watch.now)
        return 1.0 <= watch.now < 3.0

    monkeypatch.setattr(watch.loop().checkout, "is_running", runs)
    watch.at(1.0, lambda: watch.save("a", seed=2))
    watch.run(4.0)
    during = [when for when in requested if 1.0 <= when < 3.0]
    assert 20 <= len(during) <= 50  # a settling and an early look in every pause
    assert len(watch.results("a")) == 2


def test_a_daemon_that_starts_in_a_checkout_waits_for_its_end(
    watch: SimulatedWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch.loop().checkout, "is_running", lambda: watch.now < 1.0)
    watch.run(2.0)
    assert 1.0 <= watch.results("a")[0][0] < 1.2


# --- scans without a change -----------------------------------------------------------------------


def test_a_full_scan_detects_a_missing_output(watch: SimulatedWatch) -> None:
    watch.at(1.0, watch.output("a").unlink)
    watch.run(3.5)
    assert watch.results("a")[1:] == [(2.0 + DEBOUNCE_SECONDS, "built")]
    assert watch.of(LevelResult)[-1].causes == ("t/a.tmj",)
    assert not watch.of(Remark)  # outputs are not observed


def test_a_scan_of_the_specs_does_not_look_at_outputs(
    watch: SimulatedWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.at(0.0, lambda: setattr(watch.loop().rescans, "next_full", 1e6))
    watch.at(1.0, watch.output("a").unlink)
    watch.run(10.0)
    assert watch.scans == [2.0, 4.0, 6.0, 8.0]
    assert len(watch.results("a")) == 1


def test_a_scan_that_finds_nothing_has_no_consequence(watch: SimulatedWatch) -> None:
    watch.run(9.0)
    assert watch.scans == [2.0, 4.0, 6.0, 8.0]
    assert len(watch.looks) == 1
    assert [type(event) for _, event in watch.events] == [LevelResult, Upkeep, BatchDone, Ready]


def test_a_scan_of_everything_sees_specs_and_outputs_at_once(watch: SimulatedWatch) -> None:
    watch.write("b")
    watch.at(1.0, lambda: watch.write("b", seed=2), watch.output("a").unlink)
    watch.run(3.0)
    assert len(watch.results("a")) == len(watch.results("b")) == 2


def test_costly_scans_are_created_less_often(watch: SimulatedWatch) -> None:
    watch.scan_seconds = 0.0078125
    watch.run(21.0)
    pause = 800 * watch.scan_seconds
    assert watch.scans == [2.0, 4.0, 2.0 + pause, 2.0 + 2 * pause, 2.0 + 3 * pause]


def test_polling_scans_often_and_needs_no_event(watch: SimulatedWatch) -> None:
    watch.loop(poll=True)
    watch.at(1.0, lambda: watch.write("a", seed=2))
    watch.run(2.0)
    assert watch.scans[:4] == [0.25, 0.5, 0.75, 1.0]
    assert watch.results("a")[1:] == [(1.0 + DEBOUNCE_SECONDS, "built")]
    assert not watch.of(Remark)


@pytest.mark.parametrize(
    ("event", "trusted"),
    [(0.75, False), (1.0, True), (1.5, True), (2.5, True), (3.0, True), (3.25, False)],
)
def test_events_are_trusted_when_one_came_near_the_scan_that_detected_a_change(
    watch: SimulatedWatch, event: float, trusted: bool
) -> None:
    # The scan is made at 2.0, and judged a second later.
    def tell() -> None:
        watch.loop().signal.last_event = watch.time

    watch.at(event, tell)
    watch.at(1.75, lambda: watch.write("a", seed=2))
    watch.run(4.0)
    assert watch.results("a")[1:] == [(2.0 + DEBOUNCE_SECONDS, "built")]
    assert bool(watch.of(Remark)) != trusted
    assert watch.loop().observers.polling != trusted


def test_events_are_given_up_a_second_after_one_was_missed(watch: SimulatedWatch) -> None:
    watch.at(1.0, lambda: watch.write("a", seed=2))
    watch.run(4.0)
    reported = [(when, item.text) for when, item in watch.events if isinstance(item, Remark)]
    assert reported == [(3.0, "changes are not announced here")]


def test_events_are_trusted_when_observers_had_to_be_started_anew(
    watch: SimulatedWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    signal = watch.loop().signal
    started: list[float] = []

    def start_anew(*_: object) -> None:
        if not started:
            started.append(watch.now)
            signal.set()

    watch.at(1.0, lambda: watch.write("a", seed=2))
    watch.at(1.0, lambda: monkeypatch.setattr(watch.loop().observers, "observe", start_anew))
    watch.run(4.0)
    assert started == [2.0]
    assert len(watch.results("a")) == 2
    assert not watch.of(Remark)


def test_a_file_system_that_announces_nothing_is_polled(
    watch: SimulatedWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop_module, "silent_file_system", lambda _root: "nfs4")
    watch.at(1.0, lambda: watch.write("a", seed=2))
    watch.run(2.0)
    assert watch.loop().observers.polling
    assert [item.text for item in watch.of(Remark)] == [
        "changes on a file system of the kind nfs4 are not announced"
    ]
    assert watch.results("a")[1:] == [(1.0 + DEBOUNCE_SECONDS, "built")]


def test_folders_that_are_new_to_the_project_are_observed(watch: SimulatedWatch) -> None:
    settings = watch.root / "exporter.yaml"
    more = f"levels: [levels/*.level.yaml, more/*.level.yaml]\n{settings.read_text()}"
    watch.at(1.0, lambda: settings.write_text(more), watch.announce)
    watch.run(2.0)
    observers = watch.loop().observers
    assert observers.observed[0] == (set(), {watch.root})  # type: ignore[attr-defined]
    trees, folders = observers.observed[-1]  # type: ignore[attr-defined]
    assert trees == {watch.root / "levels", watch.root / "more"}
    assert watch.root in folders


def test_folders_of_files_that_specs_read_are_observed(
    watch: SimulatedWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        watch.loop().export.planner, "inputs", lambda: {"art/tiles/wall.png", "x.csv"}
    )
    watch.run(0.5)
    folders = watch.loop().observers.observed[-1][1]  # type: ignore[attr-defined]
    assert folders == {watch.root, watch.root / "art" / "tiles"}


@pytest.mark.parametrize(("next_full", "more"), [(0.0, 1), (1e6, 0)])
def test_only_a_scan_of_everything_makes_sure_that_folders_are_observed(
    watch: SimulatedWatch, next_full: float, more: int
) -> None:
    counts: list[int] = []
    observed = watch.loop().observers.observed  # type: ignore[attr-defined]
    watch.at(0.5, lambda: setattr(watch.loop().rescans, "next_full", next_full))
    for when in (1.0, 3.0):
        watch.at(when, lambda: counts.append(len(observed)))
    watch.run(3.5)
    assert watch.scans == [2.0]
    assert counts[1] - counts[0] == more


# --- the end of a batch ---------------------------------------------------------------------------


def test_the_journal_goes_into_the_manifest_a_while_after_each_batch(
    watch: SimulatedWatch,
) -> None:
    seen: list[bool] = []
    for batch in (0.0, 4.0):
        stored = batch + DEBOUNCE_SECONDS
        watch.at(batch, lambda: watch.save("a", seed=int(watch.now) + 2))
        watch.at(stored + 0.875, lambda: seen.append(watch.has_journal()))
        watch.at(stored + 1.125, lambda: seen.append(watch.has_journal()))
    watch.run(8.0)
    assert seen == [True, False, True, False]
    assert A in (watch.root / ".exporter" / "manifest.json").read_text()


def test_spare_workers_are_started_when_it_is_ready_and_ended_when_all_is_silent(
    watch: SimulatedWatch,
) -> None:
    watch.run(0.5)
    watch.close()
    assert watch.workers.warmed == [(0.0, 2)]
    watch.workers.warmed.clear()
    start = watch.now
    watch.at(start, watch.announce)  # as observers do when they begin
    watch.run(start + 1.5)
    assert len(watch.results("a")) == 1
    ready = start + DEBOUNCE_SECONDS
    assert watch.workers.warmed == [(ready, 2), (ready + 1.0, 2)]
    assert watch.workers.trimmed == [(ready + 1.0, 2)]


def test_a_start_with_nothing_to_export_leaves_the_status_as_it_is(
    watch: SimulatedWatch,
) -> None:
    watch.run(0.5)
    watch.close()
    before = watch.status()
    watch.at(0.5, watch.announce)  # as observers do when they begin
    watch.run(3.0)
    assert len(watch.of(Ready)) == 2
    assert watch.status() == before
    assert [item["level"] for item in before["batch"]] == ["a"]


def test_the_journal_goes_into_the_manifest_at_the_end(watch: SimulatedWatch) -> None:
    assert watch.run(0.5) == ExitCode.DONE
    assert watch.now == 0.5  # without waiting for anything else
    assert not watch.has_journal()
    assert not watch.workers.trimmed


def test_a_manifest_that_cannot_be_written_is_reported_with_each_batch(
    watch: SimulatedWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempted: list[float] = []

    def fail(**_: bool) -> None:
        attempted.append(watch.now)
        raise StoreError("the disk is full")

    monkeypatch.setattr(watch.loop().export.committer, "finish", fail)
    watch.at(1.0, lambda: watch.save("a", seed=2))
    watch.run(10.0)
    assert [item.problems[0].message for item in watch.of(Refusal)] == ["the disk is full"] * 2
    assert attempted == [0.0, 1.0 + DEBOUNCE_SECONDS]
    assert len(watch.results("a")) == 2


@pytest.mark.parametrize(("jobs", "cores", "workers"), [(3, 8, 3), (None, 8, 8), (None, None, 1)])
def test_there_is_a_worker_for_every_core_unless_reported_otherwise(
    watch: SimulatedWatch,
    monkeypatch: pytest.MonkeyPatch,
    jobs: int | None,
    cores: int | None,
    workers: int,
) -> None:
    monkeypatch.setattr(loop_module.os, "cpu_count", lambda: cores)
    watch.loop(jobs=jobs)
    assert watch.workers.arguments == (workers, 10.0)


# --- the lock and the end -------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["lock", "folder"])
def test_a_deleted_state_folder_is_created_again_with_its_lock(
    watch: SimulatedWatch, what: str
) -> None:
    lock = watch.root / ".exporter" / LOCK
    watch.at(1.0, lock.unlink if what == "lock" else lambda: shutil.rmtree(lock.parent))
    watch.at(3.0, watch.announce)
    watch.run(3.5)
    assert lock.exists()
    assert claim_project(watch.root) is None
    assert not watch.of(Refusal)


@pytest.mark.parametrize("what", ["lock", "folder", "project"])
def test_a_lock_that_cannot_be_had_again_does_not_end_the_daemon(
    watch: SimulatedWatch, what: str
) -> None:
    lock = watch.root / ".exporter" / LOCK

    def replace() -> None:
        if what == "lock":
            lock.unlink()
            lock.mkdir()
        elif what == "folder":
            shutil.rmtree(lock.parent)
            lock.parent.write_text("in the way")
        else:
            shutil.rmtree(watch.root)

    watch.at(1.0, replace)
    assert watch.run(5.0) == ExitCode.DONE
    assert len(watch.scans) >= 2
    assert watch.root.exists() == (what != "project")


def test_a_stopped_loop_stores_nothing_more(watch: SimulatedWatch) -> None:
    watch.workers.seconds = 0.5
    watch.at(1.0, lambda: watch.save("a", seed=2))
    assert watch.run(1.25) == ExitCode.DONE
    assert watch.results("a") == [(0.5, "built")]


def test_a_loop_stopped_while_it_looks_begins_no_build(watch: SimulatedWatch) -> None:
    watch.loop().stop(ExitCode.DONE)
    assert watch.run(0.5) == ExitCode.DONE
    assert not watch.workers.submitted


def test_closing_ends_workers_and_observers_and_frees_the_project(watch: SimulatedWatch) -> None:
    loop = watch.loop()
    watch.run(0.5)
    watch.close()
    assert watch.workers.closed
    assert loop.observers.stopped  # type: ignore[attr-defined]
    assert loop.signal.channel.closed
    lock = claim_project(watch.root)
    assert lock is not None
    lock.close()
