"""Hostile messages of a tab with the token: the studio keeps running, and no tab waits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosedOK

from exporter.studio import server
from studio_tabs import Studio, Tab


@pytest.fixture
def tab(studio: Studio) -> Tab:
    """A tab with an open level."""
    return studio.opened()


HALF_CHARACTERS: list[dict[str, object]] = [
    {"set": ["\ud800"], "value": 1},
    {"set": ["seed"], "value": "\ud800"},
    {"set": ["layers", "ground", "\ud800"], "value": 1},
    {"insert": ["layers", "\ud800"], "value": {}},
    {"insert": ["objects", 0], "value": {"\ud800": 1}},
    {"rename": ["seed"], "key": "\ud800"},
]
WALLS = ["layers", "ground", "wall_percent"]
MANY_VALUES: list[object] = [[0] * 20_001, [[0] * 200] * 100, {str(x): [x] for x in range(10_000)}]
WRONG_YAML: list[tuple[list[dict[str, object]], str]] = [
    ([{"set": ["properties"], "yaml": "a: \ud800"}], "U+D800"),
    ([{"set": ["properties"], "yaml": "[" * 5000}], "deep"),
    ([{"set": ["properties"], "yaml": "[" + "0, " * 30_000 + "0]"}], "20"),
    ([{"set": ["properties"], "yaml": "a: &x 1\nb: *x"}], "anchor"),
    ([{"set": ["seed"], "yaml": "1"}] * 2, "at most one"),
]


def test_changes_beyond_the_limits_of_a_spec_are_refused_and_the_tab_goes_on(tab: Tab) -> None:
    """Half of a character, values that others would wait for, and YAML that no spec may have."""
    wrong = [([half_character], "U+D800") for half_character in HALF_CHARACTERS]
    wrong += [([{"set": WALLS, "value": many_value}], "20000 values") for many_value in MANY_VALUES]
    for changes, words in (*wrong, *WRONG_YAML):
        tab.send(do="change", changes=changes)
        assert words in tab.wait_for("refused")["text"]
    seed: dict[str, object] = {"set": ["seed"], "value": 5}
    tab.send(do="change", changes=[seed] * 251)
    assert "1 to 250 changes" in tab.wait_for("refused")["text"]
    assert tab.displayed_level("change", changes=[seed] * 100)["seed"] == 5


def test_a_layer_that_went_meanwhile_is_turned_into_no_other(tab: Tab) -> None:
    tab.displayed_level("draw", layer="ground", cells=[[1, 1], [2, 2]], tile="floor", number=1)
    tab.send(do="change", changes=[{"rename": ["layers", "ground"], "key": "earth"}])
    tab.send(do="stamp", layer="ground")
    assert "the layer 'ground' no longer exists" in tab.wait_for("refused")["text"]
    tab.displayed_level("revert")


def test_a_bug_of_ours_is_reported_and_ends_no_tab(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown fault must not cost a draft."""
    reported: list[str] = []

    class Broken:
        async def handle(self, _message: object) -> None:
            raise KeyError("what nobody thought of")

        def refuse(self, message: dict[str, object], text: str) -> None:
            reported.append(f"{message['do']}: {text}")

    asyncio.run(server._handle(Broken(), {"do": "save"}))  # type: ignore[arg-type]
    assert reported == [f"save: {server.BUG}"]
    assert "what nobody thought of" in capsys.readouterr().err


def test_messages_that_have_come_already_leave_others_their_turn() -> None:
    """Of a flood a socket holds thousands: between two of them everything else goes on."""
    messages = [json.dumps({"do": "undo"})] * 500
    handled: list[int] = []
    turns = 0

    class Socket:
        async def recv(self) -> str:
            if not messages:
                raise ConnectionClosedOK(None, None)
            return messages.pop(0)

    class Greedy:
        async def handle(self, _message: object) -> None:
            handled.append(turns)

        async def outgoing(self) -> AsyncIterator[object]:
            for never in ():
                yield never

    class OneSession:
        def leave(self, _session: object) -> None: ...

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def run() -> None:
        other = asyncio.create_task(others())
        socket: Any = Socket()
        sessions: Any = OneSession()
        session: Any = Greedy()
        await server._serve_session(socket, session, sessions)
        other.cancel()

    asyncio.run(run())
    assert len(handled) == len(set(handled)) == 500
