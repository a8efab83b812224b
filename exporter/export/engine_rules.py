"""Find what engines change in exported files; loaded only if needed.

An export without stale levels never loads them.
"""

from __future__ import annotations

from functools import cached_property

from exporter.store.contents import FileRules


class EngineRules:
    """Rules for what engines write into outputs and beside them.

    A sidecar is a file of the engine beside an output, such as `.import`; the exporter sets only
    some keys in it. An identity is the uid or guid by which the engine finds a file.
    """

    @cached_property
    def _rules(self) -> FileRules:
        from exporter.formats.engine_files import EngineFiles

        return EngineFiles()

    def own_part(self, path: str, data: bytes) -> bytes | None:
        """Return the keys of a sidecar that the exporter sets; None for others.

        Args:
            path: The path of the file.
            data: Its content.
        """
        return self._rules.own_part(path, data)

    def merged(self, path: str, current: bytes, expected: bytes) -> bytes | None:
        """Return a sidecar with the exporter's keys updated, and the others kept.

        Return None if the file is no sidecar.

        Args:
            path: The path of the sidecar.
            current: Its content as the engine left it.
            expected: The content that the exporter would write.
        """
        return self._rules.merged(path, current, expected)

    def may_have_identity(self, path: str) -> bool:
        """Return whether an engine may find the file at `path` by an identity."""
        return self._rules.may_have_identity(path)

    def identity(self, path: str, data: bytes) -> str | None:
        """Return the identity inside a file; None if it has none.

        Args:
            path: The path of the file.
            data: Its content.
        """
        return self._rules.identity(path, data)

    def other_identity(self, identity: str) -> str:
        """Return a new identity of the same form, which follows from the old one."""
        return self._rules.other_identity(identity)
