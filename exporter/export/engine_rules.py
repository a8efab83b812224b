"""Apply the engines' rules for exported files; import engine code late.

The rules are for files that engines complete or know by an id. An export without stale levels never
imports that code.
"""

from __future__ import annotations

from functools import cached_property

from exporter.store.contents import FileRules


class EngineRules:
    """The rules of all engines for files that they complete or know by an id.

    A sidecar is a file of the engine beside an output, such as `.import`; the exporter sets only
    some keys in it. An id is the uid or guid by which the engine finds a file.
    """

    @cached_property
    def _rules(self) -> FileRules:
        from exporter.formats.engine_files import EngineFiles

        return EngineFiles()

    def own_part(self, path: str, data: bytes) -> bytes | None:
        """Return only the exporter's keys in `data`, the content of a sidecar.

        None if the file at `path` is not a sidecar.
        """
        return self._rules.own_part(path, data)

    def merged(self, path: str, current: bytes, expected: bytes) -> bytes | None:
        """Return the sidecar `current`, updated with the keys of `expected`.

        `current` is the content at `path` now, `expected` what the exporter would write. None if
        the file is not a sidecar.
        """
        return self._rules.merged(path, current, expected)

    def may_have_identity(self, path: str) -> bool:
        """Return whether a file with this `path` can have an engine's uid or guid."""
        return self._rules.may_have_identity(path)

    def identity(self, path: str, data: bytes) -> str | None:
        """Return the uid or guid of the file `path` with the content `data`.

        None if it has no such id.
        """
        return self._rules.identity(path, data)

    def other_identity(self, identity: str) -> str:
        """Return another id of the same form; equal for an equal `identity`."""
        return self._rules.other_identity(identity)
