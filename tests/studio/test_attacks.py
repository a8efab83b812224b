"""Attacks by strangers: other sites in the same browser, broken messages, endless ones."""

from __future__ import annotations

import http.client
import json
import socket
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from daemon_harness import DEADLINE, wait_until
from exporter.studio import server
from exporter.studio.guard import Guard, refusal
from exporter.studio.listening import ServerOptions, listen
from studio_tabs import Studio


def ended(tab: ClientConnection) -> int:
    """Return the code that ends a tab, after any other messages."""
    with pytest.raises(ConnectionClosed) as closed:
        read_to_the_end(tab)
    return closed.value.rcvd.code if closed.value.rcvd is not None else 0


def read_to_the_end(tab: ClientConnection) -> None:
    while True:
        tab.recv(timeout=DEADLINE)


WRONG_TOKEN, TOO_MANY, MALFORMED = 4401, 4429, 4400


def ask(
    studio: Studio, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=DEADLINE)
    connection.putrequest(method, path, skip_host=True)
    headers.setdefault("Host", f"127.0.0.1:{studio.port}")
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    result = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    connection.close()
    return result


# --- rebinding and foreign pages ------------------------------------------------------------------


def test_only_this_machine_is_a_host(studio: Studio) -> None:
    strange = [
        "evil.example",
        "evil.example:PORT",
        "127.0.0.1",
        "127.0.0.1:1",
        "",
        "localhost.evil:PORT",
    ]
    own = ["127.0.0.1:PORT", "localhost:PORT", "LocalHost:PORT", "[::1]:PORT"]

    def answer(host: str) -> tuple[int, bool]:
        status, _, body = ask(studio, "/", Host=host.replace("PORT", str(studio.port)))
        return status, b"<html" in body

    assert {host: answer(host) for host in strange} == dict.fromkeys(strange, (403, False))
    assert {host: answer(host) for host in own} == dict.fromkeys(own, (200, True))


def test_two_hosts_are_none(studio: Studio) -> None:
    with socket.create_connection(("127.0.0.1", studio.port), timeout=DEADLINE) as raw:
        own = f"127.0.0.1:{studio.port}"
        raw.sendall(f"GET / HTTP/1.1\r\nHost: {own}\r\nHost: {own}\r\n\r\n".encode())
        assert raw.recv(64).split()[1] in (b"400", b"403")


def test_a_socket_needs_the_origin_of_the_studio(studio: Studio) -> None:
    origins = [
        "http://evil.example",
        "https://127.0.0.1:PORT",
        "null",
        "http://127.0.0.1:1",
        "http://127.0.0.1",
        "http://127.0.0.1:PORT.evil.example",
        None,
    ]

    def answer(origin: str | None) -> int:
        with pytest.raises(InvalidStatus) as refused:
            studio.socket(origin=origin and origin.replace("PORT", str(studio.port)))
        return int(refused.value.response.status_code)

    assert {item: answer(item) for item in origins} == dict.fromkeys(origins, 403)


def test_a_page_of_another_address_is_no_page_of_the_studio() -> None:
    """Where the studio has all addresses of a machine, other machines have pages at theirs."""
    guard = Guard.of(8100, "t" * 32, every_address=True)
    for own, origin, passes in (
        ("192.168.7.8:8100", "http://192.168.7.8:8100", True),
        ("192.168.7.8:8100", "http://192.168.7.9:8100", False),
        ("127.0.0.1:8100", "http://192.168.7.8:8100", False),
    ):
        for kind in ("websocket", "http"):
            refused = refusal(guard, kind, {"host": [own], "origin": [origin]})
            assert (refused is None) == passes, (kind, own, origin)


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


def test_nothing_can_be_sent_without_a_socket(studio: Studio) -> None:
    methods = ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"]
    assert {method: ask(studio, "/", method)[0] for method in methods} == dict.fromkeys(
        methods, 405
    )


def test_only_the_pages_own_files_are_served(studio: Studio) -> None:
    paths = [
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
    ]
    assert [path for path in paths if ask(studio, path)[0] not in (403, 404, 426)] == []


# --- the token ------------------------------------------------------------------------------------


def test_a_wrong_token_gets_no_data(studio: Studio) -> None:
    for token in ("", "x" * 32, None, 7, ["a"], {"a": 1}, "ä" * 32):
        with studio.socket() as tab:
            tab.send(json.dumps({"token": token}))
            with pytest.raises(ConnectionClosed) as closed:
                tab.recv(timeout=DEADLINE)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == WRONG_TOKEN, token


def test_a_silent_socket_is_closed(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HELLO_SECONDS", 0.2)
    with studio.socket() as tab:
        assert ended(tab) == WRONG_TOKEN


def test_every_run_has_another_token() -> None:
    with (item := listen(ServerOptions())).socket, (other := listen(ServerOptions())).socket:
        assert item.token != other.token
        assert min(len(item.token), len(other.token)) >= 32


# --- messages -------------------------------------------------------------------------------------


def test_what_is_no_message_ends_the_tab(studio: Studio) -> None:
    texts = [
        "",
        "nothing",
        "[]",
        "7",
        '"text"',
        "{",
        '{"do": NaN}',
        "[" * 100_000,
        '{"a":' * 50_000,
    ]
    for wrong in (*texts, b"\0" * 100):
        with studio.socket() as tab:
            tab.send(json.dumps({"token": studio.token}))
            tab.recv(timeout=DEADLINE)
            tab.send(wrong)
            assert ended(tab) == MALFORMED, wrong[:20]


def test_a_huge_message_ends_the_tab_alone(studio: Studio) -> None:
    with studio.socket() as tab:
        tab.send(json.dumps({"token": studio.token}))
        tab.recv(timeout=DEADLINE)
        with suppress(ConnectionClosed):
            tab.send("x" * (8 << 20))
        assert ended(tab) in (0, 1009)
    other = studio.tab()
    assert (
        other.displayed_level("open", level=other.levels["levels/cave.level.yaml"])["name"]
        == "cave"
    )


MESSAGES: list[dict[str, object]] = [
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
]


def test_what_the_page_never_sends_is_refused_in_words(studio: Studio) -> None:
    tab = studio.tab()
    for message in MESSAGES:
        tab.send(**message)
        assert tab.wait_for("refused")["text"], message


def test_a_draft_cannot_read_files_outside_the_project(studio: Studio, tmp_path: Path) -> None:
    tab = studio.opened()
    outside = tmp_path.parent / "secret.png"
    outside.write_bytes(b"secret")
    layer = {"generator": "from_image", "image": "../../secret.png"}
    problems = tab.problems("change", changes=[{"set": ["layers", "stolen"], "value": layer}])
    assert problems
    assert "secret.png" in problems[0]["message"]


def test_too_many_tabs_are_reported_so(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    studio.close_tabs()
    monkeypatch.setattr(server, "MAXIMUM_SOCKETS", 4)

    def is_greeted() -> bool:
        with suppress(ConnectionClosed):
            studio.tab()
            return True
        return False

    wait_until(is_greeted)  # sockets of tests before may still be on their way out
    with ExitStack() as tabs:
        for _ in range(4):
            tab = tabs.enter_context(studio.socket())
            with suppress(ConnectionClosed):
                tab.send(json.dumps({"token": studio.token}))
        assert ended(tab) == TOO_MANY


# --- slow and greedy tabs -------------------------------------------------------------------------


def test_a_flood_of_changes_leaves_other_tabs_their_turn(studio: Studio) -> None:
    greedy, other = studio.tab(), studio.tab()
    level = other.levels["levels/cave.level.yaml"]
    greedy.displayed_level("open", level=level)
    other.displayed_level("open", level=level)
    for seed in range(150):
        greedy.send(do="change", changes=[{"set": ["seed"], "value": seed}], merge="drag")
    assert other.set(["seed"], 4711)["seed"] == 4711
    while greedy.wait_for("level")["seed"] != 149:
        pass


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


def test_a_sheet_of_anything_else_is_refused(studio: Studio) -> None:
    tab = studio.opened()
    for message in SHEETS:
        tab.send(do="seeds", sheet=5, **message)
        while (reported := tab.next())["event"] not in ("seeds-refused", "refused"):
            assert reported["event"] != "seeds", message
        assert reported.get("sheet", 5) == 5, message
        assert len(reported["text"]) < 4000, message
        assert "Traceback" not in reported["text"], message
        assert "the exporter (its traceback" not in reported["text"], message


def test_a_sheet_without_a_number_is_number_0(studio: Studio) -> None:
    tab = studio.opened()
    for sheet in (-1, 10**30):
        tab.send(do="seeds", sheet=sheet, count=1)
        assert tab.wait_for("seeds-done")["sheet"] == 0, sheet


def test_a_sheet_needs_an_open_level(studio: Studio) -> None:
    tab = studio.tab()
    tab.send(do="seeds", sheet=1, count=2)
    assert "no level is open" in tab.wait_for("refused")["text"]


def test_a_flood_of_sheets_does_not_starve_the_picture(studio: Studio) -> None:
    tab = studio.opened()
    flooding = studio.opened()
    for sheet in range(300):
        flooding.send(do="seeds", sheet=sheet, count=500, where=f"farthest > {sheet}")
    flooding.send(do="seeds", sheet=300, count=8)
    assert tab.set(["seed"], 12)["seed"] == 12
    while flooding.wait_for("seeds-done", timeout=DEADLINE)["sheet"] != 300:
        pass


def test_a_tab_that_reads_nothing_holds_up_no_other_sheet(studio: Studio) -> None:
    deaf, tab = studio.tab(max_queue=16), studio.tab()
    for item in (deaf, tab):
        item.displayed_level("open", level=item.levels["levels/cave.level.yaml"])
    for sheet in range(20):
        deaf.send(do="seeds", sheet=sheet, count=500)
    tab.send(do="seeds", sheet=1, count=4)
    assert tab.wait_for("seeds-done", timeout=DEADLINE)["sheet"] == 1
