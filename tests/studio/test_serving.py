"""The socket the studio listens on."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from exporter.model.errors import ArgumentError, ExporterError
from exporter.model.exit_codes import ExitCode
from exporter.studio.guard import Guard
from exporter.studio.listening import ServerOptions, listen
from exporter.studio.server import StudioApp
from exporter.studio.serving import server_config
from studio_tabs import Studio


def test_small_messages_are_not_held_back() -> None:
    """Asyncio turns Nagle's algorithm off for sockets that are called TCP alone."""
    with closing(listen(ServerOptions()).socket) as listening:
        assert listening.proto == socket.IPPROTO_TCP
        assert listening.getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_told_with_a_way_out() -> None:
    with closing(listen(ServerOptions()).socket) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(ExporterError, match=f"127.0.0.1:{port} cannot be .*another --port"):
            listen(ServerOptions(port=port))


def test_an_interruption_ends_it_in_one_line(project: Path, serve: Callable[..., Studio]) -> None:
    studio = serve(project)
    tab = studio.tab()
    tab.shown("open", level=next(iter(tab.levels.values())))
    studio.process.send_signal(signal.SIGINT)
    assert studio.process.wait(60) == 130
    assert studio.process.stderr is not None
    assert studio.process.stderr.read() == "interrupted: the studio has ended\n"


# --- the host to listen on ------------------------------------------------------------------------

NO_HOSTS = ["a..b", "ä..b", "", "a b", "a\nb", "256.1.1.1", "a" * 70 + ".b", ":::", "192.0.2.7"]


@pytest.mark.parametrize("host", NO_HOSTS)
def test_a_host_that_is_none_is_told_with_a_way_out(host: str) -> None:
    with pytest.raises(ArgumentError, match=r"--host .* cannot be .*127\.0\.0\.1"):
        listen(ServerOptions(host))


@pytest.mark.parametrize("command", [["serve"], ["watch", "--serve"]])
def test_a_host_that_is_none_is_wrong_usage(project: Path, command: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "exporter", *command, str(project), "--no-open", "--host", "ä..b"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == ExitCode.USAGE
    assert len(ended.stderr.splitlines()) == 1
    assert "'ä..b' cannot be listened on" in ended.stderr


def names_known(host: str) -> tuple[str, Guard]:
    with closing((listening := listen(ServerOptions(host))).socket):
        return listening.address.partition("#")[0], listening.guard()


def test_all_of_this_machine_is_opened_by_its_loopback() -> None:
    address, guard = names_known("0.0.0.0")
    assert address == f"http://127.0.0.1:{guard.port}/"
    # By whichever of its addresses others reach it; never by a name of a stranger.
    for name in ("192.168.7.8", "10.0.0.1", "[fe80::1]", "localhost", socket.gethostname()):
        assert guard.knows_host(f"{name}:{guard.port}"), name
        assert guard.knows_origin(f"http://{name}:{guard.port}"), name
    for name in ("0.0.0.0", "[::]", "evil.example", "10.0.0.1.evil.example", "[10.0.0.1]x", "1"):
        assert not guard.knows_host(f"{name}:{guard.port}"), name
    assert not guard.knows_host("192.168.7.8:1")


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_all_of_this_machine_in_ipv6_has_its_ipv4_addresses_too() -> None:
    try:
        listening = listen(ServerOptions("::"))
    except ExporterError:
        pytest.skip("no IPv6 here")
    with closing(listening.socket):
        port = listening.guard().port
        assert listening.address.startswith(f"http://[::1]:{port}/")
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        socket.create_connection(("::1", port), timeout=5).close()


def test_one_address_is_asked_by_that_address_alone() -> None:
    address, guard = names_known("127.0.0.2")
    assert address == f"http://127.0.0.2:{guard.port}/"
    assert guard.knows_host(f"127.0.0.2:{guard.port}")
    assert not guard.knows_host(f"192.168.7.8:{guard.port}")


def test_whoever_lets_others_in_is_warned_and_told_their_address(
    project: Path, serve: Callable[..., Studio]
) -> None:
    studio = serve(project, "--host", "0.0.0.0")
    tab = studio.tab()
    assert tab.levels
    studio.close_tabs()
    studio.process.terminate()
    _, errors = studio.process.communicate(timeout=60)
    assert "other machines can reach 0.0.0.0" in errors


# --- connections ----------------------------------------------------------------------------------


def test_headers_of_a_proxy_are_not_believed() -> None:
    assert server_config(cast(StudioApp, None)).proxy_headers is False


def ask(port: int, path: str = "/main.js") -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
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


def test_connections_that_never_finish_asking_make_room(studio: Studio) -> None:
    """Silent ones, those that ask letter by letter, and those that never end their body."""
    where = ("127.0.0.1", studio.port)
    begun = time.monotonic()
    silent = [socket.create_connection(where, timeout=10) for _ in range(280)]
    slow = socket.create_connection(where, timeout=10)
    endless = socket.create_connection(where, timeout=10)
    host = f"Host: 127.0.0.1:{studio.port}\r\n"
    endless.sendall(f"GET / HTTP/1.1\r\n{host}Content-Length: 99999\r\n\r\n".encode())
    tab = studio.tab()  # a socket is no such connection, and is served meanwhile
    everyone = [*silent, slow, endless]
    still = everyone
    while still and time.monotonic() - begun < 25:
        for one, text in ((slow, b"G"), (endless, b"x")):
            if one in still:
                try:
                    one.sendall(text)
                except OSError:
                    still = [other for other in still if other is not one]
        still = [one for one in still if not is_closed(one)]
        time.sleep(0.2)
    assert not still
    assert ask(studio.port) == 200
    assert tab.shown("open", level=next(iter(tab.levels.values())))["name"] == "cave"
    for one in everyone:
        one.close()


def test_no_number_of_connections_takes_the_files_descriptors(studio: Studio) -> None:
    where = ("127.0.0.1", studio.port)
    tab = studio.tab()
    tab.shown("open", level=next(iter(tab.levels.values())))
    many = [socket.create_connection(where, timeout=10) for _ in range(600)]
    tab.set(["seed"], 8)  # it has seen them all by now
    assert len(os.listdir(f"/proc/{studio.process.pid}/fd")) < 500
    tab.send(do="save")
    assert tab.wait_for("saved")
    for one in many:
        one.close()
