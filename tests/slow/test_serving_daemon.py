"""`exporter watch --serve`: the daemon and the studio of one project, beside each other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import run
from daemon_harness import DEADLINE, Daemon, Project, children, environment, wait_until
from exporter.model.exit_codes import ExitCode
from studio_tabs import StudioClient, Tab

OPTIONS = ("--serve", "--no-open")
FAILING = """
from exporter.watch.loop import Loop
def fail(self, now):
    raise ValueError("a bug")
Loop._scan = fail
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    result = Project(tmp_path / "game")
    result.write("cave", seed=1)
    return result


@pytest.fixture
def daemon(project: Project) -> Iterator[Daemon]:
    with Daemon(project, *OPTIONS) as started:
        yield started


def studio_of(daemon: Daemon) -> StudioClient:
    return StudioClient(
        next(event["url"] for event in daemon.events if event["event"] == "serving")
    )


def opened(daemon: Daemon) -> Tab:
    tab = studio_of(daemon).tab()
    tab.displayed_level("open", level=tab.levels["levels/cave.level.yaml"])
    return tab


def studio_process(daemon: Daemon) -> int:
    """The process that serves: it listens on the port."""
    port = studio_of(daemon).port
    own = f":{port:04X}"
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1].endswith(own) and fields[3] == "0A":
            for process in children(daemon.process.pid):
                for entry in Path(f"/proc/{process}/fd").iterdir():
                    if os.readlink(entry) == f"socket:[{fields[9]}]":
                        return process
    raise AssertionError("nobody listens")


def test_the_address_is_reported_first_and_what_the_page_saves_is_exported(daemon: Daemon) -> None:
    kinds = [event["event"] for event in daemon.events]
    assert kinds[0] == "serving"
    assert [kind for kind in kinds if kind in ("serving", "ready")] == ["serving", "ready"]
    tab = opened(daemon)
    tab.set(["seed"], 2)
    tab.send(do="save")
    tab.wait_for("saved")
    daemon.wait_for("level", level="cave", status="built")
    assert daemon.project.seed_on_disk("cave", 2)


def test_a_flood_of_changes_does_not_keep_the_daemon_from_exporting(daemon: Daemon) -> None:
    tab = opened(daemon)
    floods = threading.Event()
    over = threading.Event()

    def flood() -> None:
        number = 0
        while not over.is_set():
            number += 1
            tab.send(do="change", changes=[{"set": ["seed"], "value": number}], merge="drag seed")
            if number == 100:
                floods.set()

    thread = threading.Thread(target=flood)
    reader = threading.Thread(target=lambda: [tab.next() for _ in iter(over.is_set, True)])
    thread.start()
    reader.start()
    try:
        assert floods.wait(DEADLINE)
        for seed in range(1, 4):
            daemon.project.write("other", seed=seed)
            daemon.wait_for("level", level="other", status="built")
            assert daemon.project.seed_on_disk("other", seed)
    finally:
        over.set()
        thread.join()
        reader.join()


def test_a_studio_that_dies_is_reported_and_the_daemon_goes_on(daemon: Daemon) -> None:
    os.kill(studio_process(daemon), signal.SIGKILL)
    wait_until(
        lambda: any("the studio has ended (exit code -9)" in error for error in daemon.errors)
    )
    daemon.project.write("cave", seed=3)
    daemon.wait_for("level", level="cave", status="built")
    assert daemon.signal(signal.SIGINT) == ExitCode.INTERRUPTED


def test_a_daemon_that_fails_leaves_the_studio_which_then_ends_on_request(
    project: Project,
) -> None:
    daemon = Daemon(project, *OPTIONS, before=FAILING)
    try:  # it may fail before it is ready
        wait_until(lambda: any("the studio goes on" in error for error in daemon.errors))
        assert any("a bug" in error for error in daemon.errors)
        tab = opened(daemon)
        tab.set(["seed"], 2)
        # Another daemon may have the project now.
        with Daemon(project):
            pass
        assert daemon.signal(signal.SIGINT) == ExitCode.INTERRUPTED
    finally:
        daemon.kill()


@pytest.mark.parametrize(
    ("waits_for", "number"),
    [
        ("serving", signal.SIGINT),
        ("level", signal.SIGTERM),
        ("ready", signal.SIGINT),
        ("tab", signal.SIGTERM),
        ("flood", signal.SIGINT),
    ],
)
def test_it_ends_in_order_at_any_time(
    project: Project, waits_for: str, number: signal.Signals
) -> None:
    daemon = Daemon(project, *OPTIONS)
    try:
        daemon.wait_for(waits_for if waits_for in ("serving", "level") else "ready")
        if waits_for in ("tab", "flood"):
            tab = opened(daemon)
            tab.send(do="schema")
            for seed in range(100 if waits_for == "flood" else 0):
                tab.send(do="change", changes=[{"set": ["seed"], "value": seed}])
        started = [*children(daemon.process.pid)]
        os.killpg(daemon.process.pid, number)  # as a terminal does
        code = daemon.process.wait(DEADLINE)
        assert code == (ExitCode.INTERRUPTED if number == signal.SIGINT else ExitCode.DONE)
        wait_until(lambda: not [item for item in started if Path(f"/proc/{item}").exists()])
    finally:
        daemon.kill()
    assert "".join(daemon.errors) == ""


def test_nothing_is_left_of_a_daemon_that_is_killed(daemon: Daemon) -> None:
    opened(daemon)
    started = [*children(daemon.process.pid)]
    assert len(started) > 3
    daemon.process.kill()
    wait_until(lambda: not [item for item in started if Path(f"/proc/{item}").exists()])


def test_another_one_takes_over_the_project_and_the_port(daemon: Daemon) -> None:
    port = studio_of(daemon).port
    takeover = ("--takeover", "--port", str(port))
    with Daemon(daemon.project, *OPTIONS, *takeover) as other:
        assert daemon.process.wait(DEADLINE) == ExitCode.DONE
        assert studio_of(other).port == port
        opened(other)


def test_a_port_that_is_accepted_is_reported_before_anything_is_exported(
    daemon: Daemon, tmp_path: Path
) -> None:
    other = Project(tmp_path / "other")
    other.write("cave", seed=1)
    ended = run("watch", str(other.root), *OPTIONS, "--port", str(studio_of(daemon).port))
    assert ended.returncode == ExitCode.FAILED
    assert "cannot be listened on" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not other.outputs()


def test_people_are_reported_the_address(project: Project) -> None:
    command = [sys.executable, "-m", "exporter", "watch", str(project.root), *OPTIONS]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment(PYTHONUNBUFFERED="1")
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert line.startswith("The studio is at http://127.0.0.1:")
    assert process.returncode == ExitCode.INTERRUPTED


def test_a_studio_that_does_not_answer_holds_up_nobody(daemon: Daemon) -> None:
    """Whatever it waits for: Ctrl+C ends the daemon at once, and leaves no process."""
    opened(daemon)
    studio = studio_process(daemon)
    builders = children(studio)
    os.kill(studio, signal.SIGSTOP)
    begun = time.monotonic()
    daemon.process.send_signal(signal.SIGINT)
    daemon.process.wait(DEADLINE)
    assert time.monotonic() - begun < 15
    wait_until(lambda: not any(Path(f"/proc/{item}").exists() for item in [studio, *builders]))
