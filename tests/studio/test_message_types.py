"""Types of requests and events: mismatches are refused, and the page has the same."""

from __future__ import annotations

from typing import Any

import pytest

from exporter.studio import events, requests
from exporter.studio.request_checks import MalformedError, check_of, check_request, names_of
from update_page_types import FILE, page_types


def test_types_of_the_page_are_current() -> None:
    assert FILE.read_text(encoding="utf-8") == page_types(), (
        "run .venv/bin/python tests/harness/update_page_types.py"
    )


def test_every_request_and_event_has_one_name() -> None:
    for union, tag in ((requests.Request, "do"), (events.TextEvent, "event")):
        named = [name for item in union.__args__ for name in names_of(item, tag)]
        assert len(named) == len(set(named))


MISFITS: list[tuple[dict[str, Any], str]] = [
    ({}, "no such action"),
    ({"do": ["open"]}, "no such action"),
    ({"do": "quit"}, "no such action"),
    ({"do": "open"}, "`level`"),
    ({"do": "open", "level": 3}, "`level`"),
    ({"do": "open", "level": "a", "more": 1}, "`more`"),
    ({"do": "change", "changes": [{"set": ["a"], "value": 1}, {"set": "a"}]}, r"`changes\[1\]`"),
    ({"do": "change", "changes": [{"set": [True], "value": 1}]}, r"`changes\[0\]`"),
    ({"do": "save", "revision": 1.0}, "`revision`"),
    ({"do": "adopt", "how": "steal"}, "`how`"),
    ({"do": "outputs", "stop": 1}, "`stop`"),
    ({"do": "overlay", "name": ["regions"]}, "`name` of overlay"),
    ({"do": "steps", "layer": {"a": 1}}, "`layer` of steps"),
    ({"do": "draw", "layer": "a", "cells": [[1, 2], [1]], "tile": None}, r"`cells\[1\]`"),
    ({"do": "compare", "number": 1, "with": {"saved": False}}, "`with`"),
    ({"do": "follow", "level": "a", "pairs": {"seed": "1"}}, "`pairs`"),
]


def test_requests_that_do_not_fit_are_refused_by_their_position() -> None:
    for message, position in MISFITS:
        with pytest.raises(MalformedError, match=position):
            check_request(message)


def test_values_of_specs_are_not_looked_into() -> None:
    check_request({"do": "change", "changes": [{"set": ["a", 0], "value": {"b": [None, 1.5]}}]})


def test_types_that_no_message_has_are_bugs() -> None:
    with pytest.raises(TypeError, match="no message has"):
        check_of(set[int])
