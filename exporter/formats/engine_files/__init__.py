"""Handle files that engines edit, or find by an id inside.

Sidecars are files that an engine keeps beside others, `.import` or `.meta`. Each engine's module
has the rules for its own; this module finds them by suffix.
"""

from __future__ import annotations

import re
from hashlib import sha256

from exporter.formats.godot import import_settings
from exporter.formats.godot.uid import uid_of_number
from exporter.formats.unity import meta

# Godot's scenes and resources have their uid in the first line.
_HEADER = re.compile(rb'\[gd_(?:scene|resource)\b[^\n]*?\buid="(uid://[a-z0-9]+)"')
_IMPORT = re.compile(rb'^uid="(uid://[a-z0-9]+)"', re.MULTILINE)
_META = re.compile(rb"^guid: ([0-9a-f]{32})\b", re.MULTILINE)


class EngineFiles:
    """How the store treats files that Godot or Unity also change.

    This implements `exporter.store.contents.FileRules`.
    """

    def own_part(self, path: str, data: bytes) -> bytes | None:
        """Return sidecar `data` with only the keys that the exporter writes.

        None if `path` is not a sidecar's file name (`.import`, `.meta`).
        """
        if path.endswith(".import"):
            return import_settings.own_part(data)
        if path.endswith(".meta"):
            return meta.own_part(data)
        return None

    def merged(self, path: str, current: bytes, expected: bytes) -> bytes | None:
        """Return sidecar `current` with the exporter's keys from `expected`.

        None if `path` is not a sidecar's file name (`.import`, `.meta`).
        """
        if path.endswith(".import"):
            return import_settings.merged(current, expected)
        if path.endswith(".meta"):
            return meta.merged(current, expected)
        return None

    def may_have_identity(self, path: str) -> bool:
        """Return whether file `path` may contain a uid or guid, by its suffix."""
        return path.endswith((".tscn", ".tres", ".import", ".meta"))

    def identity(self, path: str, data: bytes) -> str | None:
        """Return the uid or guid in `data`, the content of `path`, or None."""
        if path.endswith((".tscn", ".tres")):
            result = _HEADER.match(data)
        elif path.endswith(".import"):
            result = _IMPORT.search(data)
        elif path.endswith(".meta"):
            result = _META.search(data)
        else:
            return None
        return result[1].decode() if result else None

    def other_identity(self, identity: str) -> str:
        """Return another uid or guid, for a file whose own one is already taken.

        It is always the same for the same `identity`.
        """
        digest = sha256(f"level-exporter other {identity}".encode()).digest()
        if identity.startswith("uid://"):
            return uid_of_number(int.from_bytes(digest[:8], "big") >> 1)
        return digest[:16].hex()
