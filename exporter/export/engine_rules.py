"""Load the rules for engines' own files only when they are needed.

An export without stale levels never loads them.
"""

from __future__ import annotations

from functools import cached_property

from exporter.store.contents import FileRules


class EngineRules:
    """Rules for files that engines keep beside outputs, such as `.import`."""

    @cached_property
    def _rules(self) -> FileRules:
        from exporter.formats.engine_files import EngineFiles

        return EngineFiles()

    def own_part(self, path: str, data: bytes) -> bytes | None:
        """Return the keys of a sidecar that the exporter writes, else None."""
        return self._rules.own_part(path, data)

    def merged(self, path: str, current: bytes, expected: bytes) -> bytes | None:
        """Return a sidecar with the exporter's keys updated, else None."""
        return self._rules.merged(path, current, expected)

    def may_have_identity(self, path: str) -> bool:
        """Return whether an engine may find this file by a uid or guid."""
        return self._rules.may_have_identity(path)

    def identity(self, path: str, data: bytes) -> str | None:
        """Return the uid or guid inside a file, if it has one."""
        return self._rules.identity(path, data)

    def other_identity(self, identity: str) -> str:
        """Return another uid or guid, which follows from the given one."""
        return self._rules.other_identity(identity)
