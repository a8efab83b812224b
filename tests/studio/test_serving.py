"""The socket the studio listens on."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from daemon_harness import DEADLINE, wait_until
from exporter.model.errors import ArgumentError, ExporterError
from exporter.studio import connections, server
from exporter.studio.guard import Guard
from exporter.studio.listening import ServerOptions, listen
from exporter.studio.page_files import page_files
from exporter.studio.sessions import Sessions
from studio_tabs import Studio


def test_small_messages_are_not_held_back() -> None:
    """Asyncio turns Nagle's algorithm off for sockets that are called TCP alone."""
    with closing(listen(ServerOptions()).socket) as listening:
        assert listening.proto == socket.IPPROTO_TCP
        assert listening.getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_accepted_is_reported_with_a_way_out() -> None:
    with closing(listen(ServerOptions()).socket) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(ExporterError, match=f"127.0.0.1:{port} cannot be .*another --port"):
            listen(ServerOptions(port=port))


# --- the host to listen on ------------------------------------------------------------------------

NO_HOSTS = ["a..b", "ä..b", "", "a b", "a\nb", "256.1.1.1", "a" * 70 + ".b", ":::", "192.0.2.7"]


def test_a_host_that_is_none_is_reported_with_a_way_out() -> None:
    for host in NO_HOSTS:
        with pytest.raises(ArgumentError, match=r"--host .* cannot be .*127\.0\.0\.1"):
            listen(ServerOptions(host))


def names_known(host: str) -> tuple[str, Guard]:
    with closing((listening := listen(ServerOptions(host))).socket):
        return listening.address.partition("#")[0], listening.guard()


def test_all_of_this_machine_is_opened_by_its_loopback() -> None:
    address, guard = names_known("0.0.0.0")
    assert address == f"http://127.0.0.1:{guard.port}/"
    # By whichever of its addresses others reach it; never by a name of a stranger.
    for name in ("192.168.7.8", "10.0.0.1", "[fe80::1]", "localhost", socket.gethostname()):
        assert guard.knows_host(f"{name}:{guard.port}"), name
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
        socket.create_connection(("127.0.0.1", port), timeout=DEADLINE).close()
        socket.create_connection(("::1", port), timeout=DEADLINE).close()


def test_one_address_is_requested_by_that_address_alone() -> None:
    address, guard = names_known("127.0.0.2")
    assert address == f"http://127.0.0.2:{guard.port}/"
    assert guard.knows_host(f"127.0.0.2:{guard.port}")
    assert not guard.knows_host(f"192.168.7.8:{guard.port}")


# --- connections ----------------------------------------------------------------------------------


def ask(studio: Studio, method: str = "GET", path: str = "/main.js") -> socket.socket:
    """A connection with a request."""
    result = socket.create_connection(("127.0.0.1", studio.port), timeout=DEADLINE)
    result.sendall(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\n\r\n".encode())
    return result


def read_all(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(1 << 16), b""))


def test_a_file_comes_whole_to_those_who_read_slowly(studio: Studio) -> None:
    """It is larger than what a socket holds."""
    with ask(studio) as connection:
        time.sleep(0.5)
        head, _, body = read_all(connection).partition(b"\r\n\r\n")
    assert body == page_files()["/main.js"][0]
    assert f"Content-Length: {len(body)}".encode() in head.split(b"\r\n")
    with ask(studio, "HEAD") as connection:
        assert read_all(connection) == head + b"\r\n\r\n"


@pytest.mark.parametrize("length", ["Content-Length: 400000", "Transfer-Encoding: chunked"])
def test_a_request_with_a_body_is_refused_in_words(studio: Studio, length: str) -> None:
    with socket.create_connection(("127.0.0.1", studio.port), timeout=DEADLINE) as connection:
        for part in ("PO", f"ST / HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\n{length}\r\n\r\n"):
            connection.sendall(part.encode())
            time.sleep(0.05)
        connection.sendall(b"x" * 400_000)
        answer = read_all(connection)
    assert answer.startswith(b"HTTP/1.1 405 ")
    assert answer.endswith(b"Only GET is allowed.")


def test_a_connection_that_asks_nothing_is_closed(
    project: Path, serve: Callable[..., Studio], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REQUEST_SECONDS", 0.3)
    studio = serve(project)
    with socket.create_connection(("127.0.0.1", studio.port), timeout=DEADLINE) as silent:
        silent.sendall(b"GET / HTTP/1.1\r\n")
        assert read_all(silent) == b""
    studio.tab()


@pytest.mark.parametrize(("most", "descriptors"), [(3, 1024), (384, 6)])
def test_too_many_connections_take_no_file_descriptors(
    project: Path,
    serve: Callable[..., Studio],
    monkeypatch: pytest.MonkeyPatch,
    most: int,
    descriptors: int,
) -> None:
    monkeypatch.setattr(connections, "MAXIMUM_CONNECTIONS", most)
    monkeypatch.setattr(connections, "_file_descriptors", lambda: descriptors)
    studio = serve(project)
    address = "127.0.0.1", studio.port

    def is_answered() -> bool:
        with suppress(ConnectionError), ask(studio, path="/icon.svg") as connection:
            return bool(read_all(connection))
        return False

    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(socket.create_connection(address, timeout=DEADLINE))
        wait_until(lambda: not is_answered())
    wait_until(is_answered)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_without_a_limit_of_descriptors_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    monkeypatch.setattr(resource, "getrlimit", lambda _: unlimited)
    assert connections._file_descriptors() // 2 >= connections.MAXIMUM_CONNECTIONS


def test_sockets_without_a_token_leave_tabs_their_room(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MAXIMUM_SOCKETS", 1)
    studio.close_tabs()
    with ExitStack() as silent:
        for _ in range(4):
            silent.enter_context(studio.socket())
        studio.tab()


def test_a_flood_of_pings_without_a_token_takes_no_memory(
    project: Path, serve: Callable[..., Studio], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HELLO_SECONDS", 10 * DEADLINE)
    studio = serve(project)
    ping = b"\x89\xf8" + bytes(4) + bytes(120)  # masked by zeros
    with socket.create_connection(("127.0.0.1", studio.port), timeout=DEADLINE) as flooding:
        headers = {
            "Host": f"127.0.0.1:{studio.port}",
            "Origin": studio.origin,
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        flooding.sendall(f"GET /session HTTP/1.1\r\n{lines}\r\n".encode())
        assert flooding.recv(12) == b"HTTP/1.1 101"
        with pytest.raises(ConnectionError):
            send_often(flooding, ping * 1000, 400)
    studio.tab()


def send_often(connection: socket.socket, data: bytes, times: int) -> None:
    for _ in range(times):
        connection.sendall(data)


def test_a_session_that_is_no_text_is_a_new_one(studio: Studio) -> None:
    for session in ({"a": [1]}, ["x"], 7):
        with studio.socket() as tab:
            tab.send(json.dumps({"token": studio.token, "session": session}))
            assert json.loads(tab.recv(timeout=DEADLINE))["event"] == "welcome"


def test_a_bug_ends_one_tab_with_its_traceback(
    studio: Studio, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_sessions: Sessions, _id: object) -> None:
        raise KeyError("what nobody thought of")

    with monkeypatch.context() as patched:
        patched.setattr(Sessions, "open", broken)
        with studio.socket() as tab:
            tab.send(json.dumps({"token": studio.token}))
            with pytest.raises(ConnectionClosed):
                tab.recv(timeout=DEADLINE)
    wait_until(lambda: "what nobody thought of" in caplog.text)
    studio.tab()


def test_strangers_do_not_fill_the_log(studio: Studio, caplog: pytest.LogCaptureFixture) -> None:
    """They choose what they send, and how often."""
    wrong = (
        b"\x16\x03\x01\x02\0",
        b"GET  / HTTP/9\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\n\r\n",
        b"HEAD",
    )
    for sent in wrong:
        with socket.create_connection(("127.0.0.1", studio.port), timeout=DEADLINE) as connection:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            read_all(connection)
    with suppress(InvalidStatus):
        studio.socket(origin="http://evil.example")
    assert caplog.text == ""


def test_a_studio_ends_although_a_connection_asks_nothing(
    project: Path, serve: Callable[..., Studio], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REQUEST_SECONDS", 1e6)
    studio = serve(project)
    with socket.create_connection(("127.0.0.1", studio.port), timeout=DEADLINE) as silent:
        studio.end()
        with suppress(ConnectionError):
            assert read_all(silent) == b""


@pytest.mark.skipif(os.name == "nt", reason="a script as the browser needs a shell")
def test_the_token_is_not_among_the_arguments_of_the_browser(tmp_path: Path, project: Path) -> None:
    """Every user of the machine can read those."""
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new\nmv {opened}.new {opened}\n')
    browser.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-m", "exporter", "serve", str(project)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "BROWSER": f"{browser} %s", "TMPDIR": str(tmp_path)},
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        wait_until(opened.exists)
        file = Path(opened.read_text().strip().removeprefix("file://"))
        assert file.stat().st_mode & 0o777 == 0o600
        assert f'url={address}"' in file.read_text()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=DEADLINE)
    assert not file.exists()
