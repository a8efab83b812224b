"""A studio that was started again: it and its tabs prove themselves, and drafts are there."""

from __future__ import annotations

import hmac
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from daemon_harness import wait_until
from exporter.studio import sessions
from exporter.studio.draft_files import MAXIMUM_FILES, DraftFiles, StoredDraft
from exporter.studio.drafts import Draft
from exporter.studio.server import WRONG_TOKEN
from exporter.studio.user_state import user_state
from studio_tabs import CAVE, LEVEL, Studio

CHALLENGE = "5" * 64


def proof(key: str, side: str, challenge: str, number: str) -> str:
    text = f"{side} {challenge} {number}".encode()
    return hmac.digest(bytes.fromhex(key), text, "sha256").hex()


def come_back(studio: Studio, key: str, session: str, said: str | None = None) -> dict[str, Any]:
    """Open a tab with the key of an earlier run; return the server's answer to its proof."""
    with studio.socket() as socket:
        hello = {"token": "of an earlier run", "session": session, "challenge": CHALLENGE}
        socket.send(json.dumps(hello))
        answer = json.loads(socket.recv(timeout=30))
        assert answer["proof"] == proof(key, "studio", CHALLENGE, answer["number"])
        mine = proof(key, "tab", CHALLENGE, answer["number"]) if said is None else said
        socket.send(json.dumps({"proof": mine}))
        return json.loads(socket.recv(timeout=30))


def test_tabs_and_drafts_outlive_the_studio(project: Path, serve: Callable[..., Studio]) -> None:
    first = serve(project)
    tab = first.opened()
    welcome = tab.welcome
    tab.set(["seed"], 8)
    tab.send(do="draw", layer="ground", cells=[[0, 0]], tile="floor", number=1)
    tab.wait_for("draft")
    first.end()
    (file,) = user_state(project).glob("*.json")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 or os.name == "nt"
    second = serve(project, port=first.port)
    greeting = come_back(second, welcome["key"], welcome["session"])
    assert (greeting["event"], greeting["token"]) == ("welcome", second.token)
    id = greeting["session"]
    wait_until(lambda: second.tab(id).session == id)
    again = second.tabs[-1]
    again.send(do="open", level=again.levels[LEVEL])
    draft = again.wait_for("draft")
    assert "seed: 8 " in draft["text"]
    assert (draft["changed"], draft["edits"]) == (True, 1)
    again.send(do="save")
    again.wait_for("saved")
    second.end()
    assert not [*user_state(project).glob("*.json")]


def test_only_the_key_of_the_project_and_port_is_accepted(
    project: Path, serve: Callable[..., Studio]
) -> None:
    studio = serve(project)
    key = studio.tab().welcome["key"]
    for said in ("", "ä", proof(key, "studio", CHALLENGE, CHALLENGE), "0" * 64):
        with pytest.raises(ConnectionClosed) as closed:
            come_back(studio, key, "session", said)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == WRONG_TOKEN, said
    other = serve(project)
    assert other.tab().welcome["key"] != key


def test_drafts_of_closed_tabs_go_to_the_next_one(
    project: Path, serve: Callable[..., Studio], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "RETURN_SECONDS", 0.0)
    first = serve(project)
    first.opened().set(["seed"], 8)
    first.end()
    tab = serve(project).tab()
    while not any(level["changed"] for level in tab.wait_for("levels")["levels"]):
        pass
    tab.send(do="open", level=tab.levels[LEVEL])
    assert "seed: 8 " in tab.wait_for("draft")["text"]


def test_stored_drafts_are_bounded_and_damage_is_left_out(tmp_path: Path) -> None:
    files = DraftFiles(tmp_path)
    draft = Draft.of(CAVE.encode()).retyped(b"seed: 1\n")
    for number in range(MAXIMUM_FILES + 3):
        files.write(f"session-{number:03}", {"a": StoredDraft("cave.level.yaml", draft)})
    assert len(files.sessions()) == MAXIMUM_FILES
    name = files.sessions()[0]
    assert files.read(name)["a"].draft.content == b"seed: 1\n"
    path = user_state(tmp_path) / f"{name}.json"
    for damage in (b"", b"{}", b"[1]", path.read_bytes().replace(b'"base":"', b'"base":"*')):
        path.write_bytes(damage)
        assert files.read(name) == {}, damage
    assert files.read("../secret") == {}
