"""Turn JSON into events of the YAML parser, so that one reader suffices.

Nearly all JSON is also YAML, but YAML parsers refuse or misread JSON's escaped surrogate pairs,
tabs before a value, and line separators inside strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s{}\[\],:"]+')
_SURROGATE = re.compile("[\ud800-\udfff]")


def is_json(text: str) -> bool:
    """Return whether `text` is a JSON object with valid Unicode strings."""
    if not text.lstrip().startswith("{"):
        return False
    try:
        json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return not any(
        _SURROGATE.search(json.loads(token))
        for token in re.findall(r'"(?:[^"\\]|\\.)*\\u(?:[^"\\]|\\.)*"', text)
    )


def json_events(text: str) -> Iterator[yaml.Event]:
    """Yield YAML parser events with positions; `is_json(text)` must be true."""
    import yaml

    starts: dict[str, Any] = {"{": yaml.MappingStartEvent, "[": yaml.SequenceStartEvent}
    ends: dict[str, Any] = {"}": yaml.MappingEndEvent, "]": yaml.SequenceEndEvent}
    line, line_start, counted = 0, 0, 0
    for result in _TOKEN.finditer(text):
        # JSON allows line breaks between tokens only.
        breaks = text.count("\n", counted, result.start())
        if breaks:
            line += breaks
            line_start = text.rfind("\n", counted, result.start()) + 1
        counted = result.start()
        token = result.group()
        start, end = (
            yaml.Mark("", position, line, position - line_start, None, 0)
            for position in (result.start(), result.end())
        )
        if token in starts:
            yield starts[token](None, None, True, start, end, flow_style=True)
        elif token in ends:
            yield ends[token](start, end)
        elif token.startswith('"'):
            value = json.loads(token)
            yield yaml.ScalarEvent(None, None, (False, True), value, start, end, style='"')
        else:
            yield yaml.ScalarEvent(None, None, (True, False), token, start, end)


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")
