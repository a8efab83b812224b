"""Check whether a file still has a content that we wrote.

Line endings are no edits: version control changes them. Nor is what an engine adds to a sidecar: of
a sidecar only the keys that we wrote count. `FileRules` defines these keys.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Protocol

# Larger files have no other line endings than the written ones.
MAXIMUM_TEXT = 64 << 20


class FileRules(Protocol):
    """The rules for kinds of files that engines complete or refer to."""

    def own_part(self, path: str, data: bytes) -> bytes | None:
        """Return a sidecar reduced to the keys we write, in our format.

        Return None for other files.
        """

    def merged(self, path: str, current: bytes, expected: bytes) -> bytes | None:
        """Return an existing sidecar with the keys of a new one.

        Return None for kinds of files that cannot be merged.
        """

    def may_have_identity(self, path: str) -> bool:
        """Return whether a kind of file can hold an engine id, such as a uid."""

    def identity(self, path: str, data: bytes) -> str | None:
        """Return the number by which an engine knows a file (uid, guid), if any."""

    def other_identity(self, identity: str) -> str:
        """Return another number of the same form, always the same one."""


class NoRules:
    """Rules for files that are plain bytes."""

    def own_part(self, path: str, data: bytes) -> bytes | None:
        """Return None: no file is known to be a sidecar."""

    def merged(self, path: str, current: bytes, expected: bytes) -> bytes | None:
        """Return None: no file can be merged."""

    def may_have_identity(self, path: str) -> bool:
        """Return False: no file has a number."""
        return False

    def identity(self, path: str, data: bytes) -> str | None:
        """Return None: no file has a number."""

    def other_identity(self, identity: str) -> str:
        """Return the same number; never called."""
        return identity


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of a content as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def matching(
    data: bytes, digests: Collection[str], rules: FileRules, path: str, *, sidecar: bool
) -> str | None:
    """Return which of some contents a file has, or None.

    Args:
        data: What the file holds.
        digests: SHA-256 of contents that were written.
        rules: How sidecars are read.
        path: The file's path.
        sidecar: Whether only the keys that we write count.
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
