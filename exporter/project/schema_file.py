"""Write, recognise and update the JSON schema file beside specs.

Editors read the schema to complete and check specs. It contains a checksum of its other content. A
file with a valid checksum was written by some version of the exporter and may be replaced; any
other was changed by a user.
"""

from __future__ import annotations

import hashlib
import json
import re

from exporter.model.installed import entry_points, templates

SCHEMA = "level.schema.json"

_COMMENT = "$comment"
# Characters; a change of one option is then one short line of a difference.
_LINE = 500
_WORDS = "Written by Level Exporter; `exporter init` refreshes it unless it was edited"
_MARK = re.compile(rf"{re.escape(_WORDS)} \(SHA-256 of the rest: ([0-9a-f]{{64}})\)\.")


def schema_text() -> bytes:
    """Return the newest content for the schema file.

    The schema is a stored template, since deriving it takes half a second; it is derived only if
    third-party packages may add to it.
    """
    if entry_points():
        return derived_schema()
    return (templates() / "levels" / SCHEMA).read_bytes()


def derived_schema() -> bytes:
    """Derive the content of the schema file from the dataclasses."""
    from exporter.reading.schema import level_schema

    schema = level_schema()
    mark = f"{_WORDS} (SHA-256 of the rest: {_checksum(schema)})."
    head = {"$schema": schema["$schema"], _COMMENT: mark}
    return (_lines({**head, **schema}) + "\n").encode()


def is_our_schema(data: bytes) -> bool:
    """Return whether some version of the exporter wrote schema file `data`.

    Line ends, indentation and the order of keys are ignored.
    """
    try:
        schema = json.loads(data)
    except (ValueError, RecursionError):
        return False
    if not isinstance(schema, dict):
        return False
    result = _MARK.fullmatch(str(schema.pop(_COMMENT, "")))
    return result is not None and result[1] == _checksum(schema)


def is_current_schema(data: bytes) -> bool:
    """Return whether `data` is an unedited schema file of the newest version."""
    try:
        return bool(json.loads(data) == json.loads(schema_text()))
    except (ValueError, RecursionError):
        return False


def _lines(value: object) -> str:
    """Format `value` as JSON, with a short line for each option or so."""
    text = json.dumps(value)
    if len(text) <= _LINE or not isinstance(value, dict | list):
        return text
    if isinstance(value, list):
        return "[\n" + ",\n".join(map(_lines, value)) + "\n]"
    entries = (f"{json.dumps(key)}: {_lines(item)}" for key, item in value.items())
    return "{\n" + ",\n".join(entries) + "\n}"


def _checksum(schema: dict[str, object]) -> str:
    plain = json.dumps(schema, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()
