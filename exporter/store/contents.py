"""Check whether a file still has content that the exporter wrote.

Changed line endings are ignored, since version control changes them. A sidecar is a settings file
that an engine completes; only the keys that the exporter wrote are compared, and `FileRules`
defines them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Protocol

# Larger files have no other line endings than the written ones.
MAXIMUM_TEXT = 64 << 20


class FileRules(Protocol):
    """The rules for files that engines complete or refer to by id."""

    def own_part(self, path: str, data: bytes) -> bytes | None:
        """Return a sidecar reduced to the exporter's keys, in its format.

        Return None for other files.
        """

    def merged(self, path: str, current: bytes, expected: bytes) -> bytes | None:
        """Return an existing sidecar, updated with the keys of a new one.

        Return None for files that cannot be merged.
        """

    def may_have_identity(self, path: str) -> bool:
        """Return whether a kind of file can have an engine's id, such as a uid."""

    def identity(self, path: str, data: bytes) -> str | None:
        """Return the id by which an engine knows a file, if any (uid, guid)."""

    def other_identity(self, identity: str) -> str:
        """Return a different id of the same form, always the same one."""


class NoRules:
    """Rules for files that are plain bytes."""

    def own_part(self, path: str, data: bytes) -> bytes | None:
        """Return None: no file is known to be a sidecar."""

    def merged(self, path: str, current: bytes, expected: bytes) -> bytes | None:
        """Return None: no file can be merged."""

    def may_have_identity(self, path: str) -> bool:
        """Return False: no file has an id."""
        return False

    def identity(self, path: str, data: bytes) -> str | None:
        """Return None: no file has an id."""

    def other_identity(self, identity: str) -> str:
        """Return the id unchanged; never called."""
        return identity


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of bytes as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def matching(
    data: bytes, digests: Collection[str], rules: FileRules, path: str, *, sidecar: bool
) -> str | None:
    """Return which of some known contents a file has, or None.

    Args:
        data: The content of the file.
        digests: The SHA-256 of contents that the exporter wrote.
        rules: The rules for sidecars.
        path: The file's path.
        sidecar: Whether the file is a sidecar, of which only the exporter's keys are compared.
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
