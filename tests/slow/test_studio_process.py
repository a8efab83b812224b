"""The studio as a process: its end, its output, and the cost of connections."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon_harness import DEADLINE
from exporter.model.exit_codes import ExitCode
from studio_tabs import StudioProcess, make_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.fixture
def studio(project: Path) -> Iterator[StudioProcess]:
    started = StudioProcess(project)
    yield started
    started.end()


# --- how it ends ----------------------------------------------------------------------------------


def test_an_interruption_ends_it_in_one_line(studio: StudioProcess) -> None:
    studio.opened()
    studio.process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    studio.process.send_signal(signal.SIGINT)  # of somebody who is impatient
    assert studio.process.wait(DEADLINE) == 130
    assert studio.process.stderr is not None
    assert studio.process.stderr.read() == "interrupted: the studio has ended\n"


@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.6, 1.2])
def test_ctrl_c_while_it_starts_ends_it_in_one_line(studio: StudioProcess, seconds: float) -> None:
    """A terminal interrupts all processes, also ones that import the modules of builds."""
    time.sleep(seconds)
    os.killpg(studio.process.pid, signal.SIGINT)
    _, reported = studio.process.communicate(timeout=DEADLINE)
    assert studio.process.returncode == 130
    assert reported == "interrupted: the studio has ended\n"


@pytest.mark.parametrize("batches", [0, 1, 3])
def test_an_interrupted_sheet_ends_without_a_traceback(studio: StudioProcess, batches: int) -> None:
    tab = studio.opened()
    tab.send(do="seeds", sheet=1, count=500, where="farthest > 3")
    for _ in range(batches):
        tab.wait_for("seed-levels")
    studio.process.send_signal(signal.SIGINT)
    _, reported = studio.process.communicate(timeout=DEADLINE)
    assert studio.process.returncode == 130
    assert reported == "interrupted: the studio has ended\n"


# --- how it is started ----------------------------------------------------------------------------


@pytest.mark.parametrize("command", [["serve"], ["watch", "--serve"]])
def test_a_host_that_is_none_is_wrong_usage(project: Path, command: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "exporter", *command, str(project), "--no-open", "--host", "ä..b"],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert ended.returncode == ExitCode.USAGE
    assert len(ended.stderr.splitlines()) == 1
    assert "'ä..b' cannot be listened on" in ended.stderr


def test_whoever_lets_others_in_is_warned_and_reported_their_address(project: Path) -> None:
    studio = StudioProcess(project, "--host", "0.0.0.0")
    tab = studio.tab()
    assert tab.levels
    studio.close_tabs()
    studio.process.terminate()
    _, errors = studio.process.communicate(timeout=DEADLINE)
    assert "other machines can reach 0.0.0.0" in errors


# --- connections ----------------------------------------------------------------------------------


def ask(port: int, path: str = "/main.js") -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1 << 16) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_connections_that_never_finish_asking_make_room(studio: StudioProcess) -> None:
    """Silent clients, clients that ask letter by letter, and ones that never end their body."""
    where = ("127.0.0.1", studio.port)
    begun = time.monotonic()
    silent = [socket.create_connection(where, timeout=DEADLINE) for _ in range(280)]
    slow = socket.create_connection(where, timeout=DEADLINE)
    endless = socket.create_connection(where, timeout=DEADLINE)
    host = f"Host: 127.0.0.1:{studio.port}\r\n"
    endless.sendall(f"GET / HTTP/1.1\r\n{host}Content-Length: 99999\r\n\r\n".encode())
    tab = studio.tab()  # a socket is no such connection, and is served meanwhile
    everyone = [*silent, slow, endless]
    still = everyone
    while still and time.monotonic() - begun < DEADLINE:
        for entry, text in ((slow, b"G"), (endless, b"x")):
            if entry in still:
                try:
                    entry.sendall(text)
                except OSError:
                    still = [other for other in still if other is not entry]
        still = [item for item in still if not is_closed(item)]
        time.sleep(0.2)
    assert not still
    assert ask(studio.port) == 200
    assert tab.displayed_level("open", level=next(iter(tab.levels.values())))["name"] == "cave"
    for item in everyone:
        item.close()


def test_no_number_of_connections_takes_the_files_descriptors(studio: StudioProcess) -> None:
    where = ("127.0.0.1", studio.port)
    tab = studio.opened()
    many = [socket.create_connection(where, timeout=DEADLINE) for _ in range(600)]
    tab.set(["seed"], 8)  # it has seen them all by now
    assert len(os.listdir(f"/proc/{studio.process.pid}/fd")) < 500
    tab.send(do="save")
    assert tab.wait_for("saved")
    for item in many:
        item.close()


def test_a_tab_that_reads_nothing_costs_no_memory(studio: StudioProcess) -> None:
    slow = studio.opened(max_queue=16)
    slow.set(["size"], [1024, 1024])
    before = memory_of(studio)
    for seed in range(60):
        slow.send(do="change", changes=[{"set": ["seed"], "value": seed}])
        time.sleep(0.02)
    studio.opened()
    assert memory_of(studio) - before < 200 << 20


def memory_of(studio: StudioProcess) -> int:
    """Bytes of memory that the server's own process has."""
    for line in Path(f"/proc/{studio.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no memory is printed")
