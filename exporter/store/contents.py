"""Check whether a file still has the content that the exporter wrote.

Line endings are ignored, since version control changes them. A sidecar is a settings file that an
engine completes: only the keys that the exporter wrote are compared; `FileRules` knows them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Protocol

# In larger files, changed line endings count as changes.
MAXIMUM_TEXT = 64 << 20


class FileRules(Protocol):
    """Rules for files that engines complete (sidecars) or know by an id.

    A sidecar is a settings file of an engine, such as `.import`, in which the exporter sets some
    keys and the engine adds others.
    """

    def own_part(self, path: str, data: bytes) -> bytes | None:
        """Return only the exporter's keys in `data`, the content of a sidecar.

        None if the file at `path` is not a sidecar.
        """

    def merged(self, path: str, current: bytes, expected: bytes) -> bytes | None:
        """Return the sidecar `current`, updated with the keys of `expected`.

        `current` is the content at `path` now, `expected` what the exporter would write. None if
        files like this cannot be merged.
        """

    def may_have_identity(self, path: str) -> bool:
        """Return whether a file with this `path` can have an engine's uid or guid."""

    def identity(self, path: str, data: bytes) -> str | None:
        """Return the uid or guid of the file `path` with the content `data`.

        None if it has no such id.
        """

    def other_identity(self, identity: str) -> str:
        """Return another id of the same form; equal for an equal `identity`."""


class NoRules:
    """Rules for projects whose engine completes no file and knows none by id."""

    def own_part(self, path: str, data: bytes) -> bytes | None:
        """Return None: no file is a sidecar."""

    def merged(self, path: str, current: bytes, expected: bytes) -> bytes | None:
        """Return None: no file can be merged."""

    def may_have_identity(self, path: str) -> bool:
        """Return False: no file has an id."""
        return False

    def identity(self, path: str, data: bytes) -> str | None:
        """Return None: no file has an id."""

    def other_identity(self, identity: str) -> str:
        """Return `identity` unchanged; never called, since no file has an id."""
        return identity


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of `data` as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def matching(
    data: bytes, digests: Collection[str], rules: FileRules, path: str, *, sidecar: bool
) -> str | None:
    """Return which of `digests` is the hash of `data`; None if none is.

    Args:
        data: The content of the file on disk.
        digests: The SHA-256 of contents that the exporter wrote.
        rules: The rules that tell which keys of a sidecar are the exporter's.
        path: The file's path.
        sidecar: Whether the file is a settings file that an engine completes: then only the keys
            that the exporter wrote are compared.
    """
    if not digests:
        return None
    result = digest_of(data)
    if result in digests:
        return result
    if len(data) > MAXIMUM_TEXT or b"\0" in data:
        return None  # not text: every byte counts
    forms = []
    text = data.replace(b"\r\n", b"\n")
    if text != data:
        forms.append(text)
    if b"\n" in text:
        forms.append(text.replace(b"\n", b"\r\n"))
    if sidecar:
        own = rules.own_part(path, text)
        if own is not None:
            forms.append(own)
    for form in forms:
        result = digest_of(form)
        if result in digests:
            return result
    return None
