"""What strangers try: other sites in the same browser, broken messages, endless ones."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from studio_tabs import Studio, make_project


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One studio for all of these: none of them may harm it."""
    started = Studio(make_project(tmp_path_factory.mktemp("project")))
    yield started
    started.end()


@pytest.fixture(autouse=True)
def _close_tabs(studio: Studio) -> Iterator[None]:
    yield
    studio.close_tabs()


def ended(tab: ClientConnection) -> int:
    """The code with which a tab is ended, whatever it is told before."""
    with pytest.raises(ConnectionClosed) as closed:
        read_to_the_end(tab)
    return closed.value.rcvd.code if closed.value.rcvd is not None else 0


def read_to_the_end(tab: ClientConnection) -> None:
    while True:
        tab.recv(timeout=60)


WRONG_TOKEN, TOO_MANY, MALFORMED = 4401, 4429, 4400


def ask(
    studio: Studio, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=10)
    connection.putrequest(method, path, skip_host=True)
    headers.setdefault("Host", f"127.0.0.1:{studio.port}")
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    found = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    connection.close()
    return found


# --- rebinding and foreign pages ------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "",
        "localhost.evil:{port}",
    ],
)
def test_a_host_that_is_not_this_machine_gets_nothing(studio: Studio, host: str) -> None:
    status, _, body = ask(studio, "/", Host=host.format(port=studio.port))
    assert status == 403
    assert b"<html" not in body


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LocalHost", "[::1]"])
def test_this_machine_has_three_names(studio: Studio, name: str) -> None:
    assert ask(studio, "/", Host=f"{name}:{studio.port}")[0] == 200


def test_two_hosts_are_none(studio: Studio) -> None:
    with socket.create_connection(("127.0.0.1", studio.port), timeout=10) as raw:
        own = f"127.0.0.1:{studio.port}"
        raw.sendall(f"GET / HTTP/1.1\r\nHost: {own}\r\nHost: {own}\r\n\r\n".encode())
        assert raw.recv(64).split()[1] in (b"400", b"403")


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "https://127.0.0.1:{port}",
        "null",
        "http://127.0.0.1:1",
        "http://127.0.0.1",
        "http://127.0.0.1:{port}.evil.example",
    ],
)
def test_a_foreign_page_gets_no_socket(studio: Studio, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        studio.socket(origin=origin.format(port=studio.port))
    assert refused.value.response.status_code == 403


def test_a_socket_needs_an_origin(studio: Studio) -> None:
    with pytest.raises(InvalidStatus):
        studio.socket(origin=None)


def test_a_foreign_page_cannot_fetch_the_modules(studio: Studio) -> None:
    assert ask(studio, "/main.js", Origin="http://evil.example")[0] == 403
    assert ask(studio, "/main.js", Origin=studio.origin)[0] == 200


def test_no_answer_allows_other_origins(studio: Studio) -> None:
    for path in ("/", "/main.js", "/nothing"):
        headers = ask(studio, path)[1]
        assert not [name for name in headers if name.startswith("access-control")]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_nothing_can_be_sent_without_a_socket(studio: Studio, method: str) -> None:
    assert ask(studio, "/", method)[0] == 405


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/server.py",
        "//etc/passwd",
        "/levels/cave.level.yaml",
        "/page/main.js",
        "/main.js%00.html",
        "/.exporter",
        "/server.py",
        "/session",
    ],
)
def test_only_the_pages_own_files_are_served(studio: Studio, path: str) -> None:
    assert ask(studio, path)[0] in (403, 404, 426)


# --- the token ------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["", "x" * 32, None, 7, ["a"], {"a": 1}, "ä" * 32])
def test_a_wrong_token_gets_no_data(studio: Studio, token: object) -> None:
    with studio.socket() as tab:
        tab.send(json.dumps({"token": token}))
        assert ended(tab) == WRONG_TOKEN


def test_a_silent_socket_is_closed(studio: Studio) -> None:
    with studio.socket() as tab:
        assert ended(tab) == WRONG_TOKEN


def test_every_run_has_another_token(project: Path, serve: Callable[..., Studio]) -> None:
    one, other = serve(project), serve(project)
    assert one.token != other.token
    assert min(len(one.token), len(other.token)) >= 32


# --- messages -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["", "nothing", "[]", "7", '"text"', "{", '{"do": NaN}', "[" * 100_000, '{"a":' * 50_000],
)
def test_what_is_no_message_ends_the_tab(studio: Studio, text: str) -> None:
    with studio.socket() as tab:
        tab.send(json.dumps({"token": studio.token}))
        tab.recv(timeout=60)
        tab.send(text)
        assert ended(tab) == MALFORMED


def test_bytes_are_no_message(studio: Studio) -> None:
    with studio.socket() as tab:
        tab.send(json.dumps({"token": studio.token}))
        tab.recv(timeout=60)
        tab.send(b"\0" * 100)
        assert ended(tab) == MALFORMED


def test_a_huge_message_ends_the_tab_alone(studio: Studio) -> None:
    with studio.socket() as tab:
        tab.send(json.dumps({"token": studio.token}))
        tab.recv(timeout=60)
        with contextlib.suppress(ConnectionClosed):
            tab.send("x" * (8 << 20))
        assert ended(tab) in (0, 1009)
    other = studio.tab()
    assert other.shown("open", level=other.levels["levels/cave.level.yaml"])["name"] == "cave"


@pytest.mark.parametrize(
    "message",
    [
        {"do": "open", "level": "../../etc/passwd"},
        {"do": "open", "level": "levels/cave.level.yaml"},
        {"do": "open", "level": None},
        {"do": "open"},
        {"do": "nothing"},
        {"do": ["open"]},
        {"do": "change"},
        {"do": "change", "changes": []},
        {"do": "change", "changes": [{}] * 1000},
        {"do": "change", "changes": [{"set": [], "value": 1}]},
        {"do": "change", "changes": [{"set": ["a"] * 100, "value": 1}]},
        {"do": "change", "changes": [{"set": [True], "value": 1}]},
        {"do": "change", "changes": [{"set": ["seed"], "value": 1, "more": 2}]},
        {"do": "change", "changes": [{"move": ["seed"], "place": True}]},
        {"do": "change", "changes": [{"set": ["seed"], "value": 1}], "merge": ["x"]},
        {"do": "change", "changes": [{"set": ["seed"], "value": 1}], "number": True},
        {"do": "adopt", "how": "neither"},
        {"do": "save"},
        {"do": "undo"},
    ],
)
def test_what_the_page_never_sends_is_refused_in_words(
    studio: Studio, message: dict[str, object]
) -> None:
    tab = studio.tab()
    tab.send(**message)
    assert tab.wait_for("refused", 10)["text"]


def test_a_draft_cannot_read_files_outside_the_project(studio: Studio, tmp_path: Path) -> None:
    tab = studio.tab()
    tab.shown("open", level=tab.levels["levels/cave.level.yaml"])
    outside = tmp_path.parent / "secret.png"
    outside.write_bytes(b"secret")
    layer = {"generator": "from_image", "image": "../../secret.png"}
    problems = tab.problems("change", changes=[{"set": ["layers", "stolen"], "value": layer}])
    assert problems
    assert "secret.png" in problems[0]["message"]


def test_too_many_tabs_are_told_so(studio: Studio) -> None:
    tabs = []
    code = 0
    for _ in range(80):
        tab = studio.socket().__enter__()
        tabs.append(tab)
        try:
            tab.send(json.dumps({"token": studio.token}))
            tab.recv(timeout=60)
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd is not None else 0
            break
    for tab in tabs:
        tab.close()
    assert code == TOO_MANY
    assert 32 <= len(tabs) <= 65


# --- slow and greedy tabs -------------------------------------------------------------------------


def test_a_flood_of_changes_leaves_other_tabs_their_turn(studio: Studio) -> None:
    greedy, other = studio.tab(), studio.tab()
    level = other.levels["levels/cave.level.yaml"]
    greedy.shown("open", level=level)
    other.shown("open", level=level)
    for seed in range(500):
        greedy.send(do="change", changes=[{"set": ["seed"], "value": seed}], merge="drag")
    begun = time.monotonic()
    assert other.set(["seed"], 4711)["seed"] == 4711
    assert time.monotonic() - begun < 20
    while greedy.wait_for("level")["seed"] != 499:
        pass


def test_a_tab_that_reads_nothing_costs_no_memory(studio: Studio) -> None:
    slow = studio.tab()
    slow.shown("open", level=slow.levels["levels/cave.level.yaml"])
    slow.set(["size"], [1024, 1024])
    before = memory_of(studio)
    for seed in range(60):
        slow.send(do="change", changes=[{"set": ["seed"], "value": seed}])
        time.sleep(0.02)
    other = studio.tab()
    other.shown("open", level=other.levels["levels/cave.level.yaml"])
    assert memory_of(studio) - before < 200 << 20


def memory_of(studio: Studio) -> int:
    """Bytes of memory that the server's own process has."""
    for line in Path(f"/proc/{studio.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no memory is told")


# --- contact sheets -------------------------------------------------------------------------------

HUGE: list[object] = [10**30, -1, 0, 1.5, True, "9", None, [], {}]
SHEETS: list[dict[str, object]] = [
    *({"count": value} for value in HUGE),
    *({"first": value} for value in HUGE if value is not None and value != 0),
    *({"skip": value} for value in HUGE if value != 0),
    {"first": (1 << 31) - 1, "count": 2},
    {"where": 7},
    {"where": "f" * 3000},
    {"where": "__import__('os').system('true') > 0"},
    {"where": "(" * 1500 + "floor" + ")" * 400},
    {"where": "9" * 1900 + " > floor"},
    {"vary": "ground.rounds=1..2"},
    {"vary": ["ground.rounds=1..2"] * 9},
    {"vary": [7]},
    {"vary": ["../../etc/passwd=1..2"]},
    {"vary": ["ground.__class__=1,2"]},
    {"vary": ["ground.rounds=1..2"], "steps": [10**9]},
    {"vary": ["ground.rounds=1..2"], "steps": [3, 3]},
    {"vary": ["ground.rounds=1..2"], "steps": "33"},
    {"vary": [], "steps": [3]},
    {"vary": ["ground.rounds"] * 3, "steps": [3, 3, 3]},
    {"vary": ["ground.rounds=1..2"], "steps": [3], "seed": {"search": 5}},
    {"vary": ["ground.rounds=1..2"], "steps": [3], "seed": 10**30},
]


@pytest.mark.parametrize("message", SHEETS, ids=range(len(SHEETS)))
def test_a_sheet_of_anything_else_is_refused(studio: Studio, message: dict[str, object]) -> None:
    tab = studio.tab()
    tab.shown("open", level=tab.levels["levels/cave.level.yaml"])
    tab.send(do="seeds", sheet=5, **message)
    told = tab.wait_for("seeds-refused")
    assert told["sheet"] == 5
    assert len(told["text"]) < 4000
    assert "Traceback" not in told["text"]
    assert "the exporter (its traceback" not in told["text"]


@pytest.mark.parametrize("sheet", [-1, 10**30, "1", None, [1], True])
def test_a_sheet_without_a_number_is_number_0(studio: Studio, sheet: object) -> None:
    tab = studio.tab()
    tab.shown("open", level=tab.levels["levels/cave.level.yaml"])
    tab.send(do="seeds", sheet=sheet, count=2)
    assert tab.wait_for("seeds-done")["sheet"] == 0


def test_a_sheet_needs_an_open_level(studio: Studio) -> None:
    tab = studio.tab()
    tab.send(do="seeds", sheet=1, count=2)
    assert "no level is open" in tab.wait_for("refused")["text"]


def test_a_flood_of_sheets_does_not_starve_the_picture(studio: Studio) -> None:
    tab = studio.tab()
    tab.shown("open", level=tab.levels["levels/cave.level.yaml"])
    flooding = studio.tab()
    flooding.shown("open", level=flooding.levels["levels/cave.level.yaml"])
    for sheet in range(300):
        flooding.send(do="seeds", sheet=sheet, count=500, where=f"farthest > {sheet}")
    begun = time.monotonic()
    assert tab.set(["seed"], 12)["seed"] == 12
    assert time.monotonic() - begun < 5
    while flooding.wait_for("seeds-done", timeout=60)["sheet"] != 299:
        pass


def test_a_tab_that_reads_nothing_holds_up_no_other_sheet(studio: Studio) -> None:
    deaf, tab = studio.tab(), studio.tab()
    for one in (deaf, tab):
        one.shown("open", level=one.levels["levels/cave.level.yaml"])
    for sheet in range(20):
        deaf.send(do="seeds", sheet=sheet, count=500)
    tab.send(do="seeds", sheet=1, count=4)
    assert tab.wait_for("seeds-done", timeout=60)["sheet"] == 1
