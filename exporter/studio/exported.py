"""Read a level's last export from its status file, which is untrusted.

The page receives the event `exported` with one of these values of `state`:

    ""         the level is in no project, so it cannot be exported
    never      the level was never exported
    built      it was exported; `stale`: its files have changed since
    failed     the last export failed; `error` is the reason
    unknown    the status cannot be read
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

from exporter.export.status import LEVELS, level_status_name
from exporter.model.errors import ExporterError
from exporter.model.excerpts import cut
from exporter.model.input_files import read_input
from exporter.project.level_files import LevelFile, Signature, signature
from exporter.project.project import STATE_FOLDER
from exporter.store.contents import digest_of
from exporter.store.user_folder import trusted_folders
from exporter.studio.events import ExportedEvent

# A level with very many outputs has a long list of them.
_MAXIMUM_BYTES = 16 << 20
_LONGEST_ERROR = 300
_DIGEST = re.compile("[0-9a-f]{64}")


class ExportState:
    """Watches the state of the open level's last export.

    Files are read and hashed only if they have changed.
    """

    def __init__(self) -> None:
        self._seen: tuple[LevelFile, tuple[Signature, ...], str] | None = None
        self._pack: Path | None = None

    def forget(self) -> None:
        """Let the next `look` return the state even if it has not changed."""
        self._seen = None

    def look(self, level: LevelFile) -> ExportedEvent | None:
        """Return the state of the last export of `level`.

        Return None if it is the same as at the last call.
        """
        path = status_path(level)
        files = (level.path, level.edits) if path is None else (path, level.path, level.edits)
        states = tuple(signature(file) for file in files)
        if self._seen is None or self._seen[:2] != (level, states):
            self._pack = _readable_pack(level)
        seen = level, states, pack_state(self._pack)
        if seen == self._seen:
            return None
        self._seen = seen
        return {**export_state(level, path), "pack": seen[-1]}


def status_path(level: LevelFile) -> Path | None:
    """Return the path of a level's status file; None if it is in no project."""
    if level.root is None:
        return None
    spec = level.path.relative_to(level.root).as_posix()
    return level.root / STATE_FOLDER / LEVELS / level_status_name(spec)


def pack_path(level: LevelFile) -> Path | None:
    """Return the path of the pack that a level's last export wrote.

    Return None if the export wrote no pack.
    """
    path = status_path(level)
    if path is None or level.root is None:
        return None
    try:
        document = json.loads(read_input(path, _MAXIMUM_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    from exporter.export.packs import SUFFIX as PACK_SUFFIX

    outputs = document.get("outputs") if isinstance(document, dict) else None
    allowed = (level.root.resolve(), *trusted_folders(level.root))
    for name in outputs if isinstance(outputs, list) else ():
        if isinstance(name, str) and name.endswith(PACK_SUFFIX):
            try:
                result = (level.root / name).resolve()
                if any(map(result.is_relative_to, allowed)) and result.is_file():
                    return result
            except (OSError, ValueError, RuntimeError):  # no name that a file can have
                continue
    return None


def pack_state(path: Path | None) -> str:
    """Return a text that changes with the file at `path`; "" without one."""
    return "" if path is None else "-".join(map(str, signature(path) or ()))


def _readable_pack(level: LevelFile) -> Path | None:
    try:
        return pack_path(level)
    except ExporterError:  # its sheet reports the reason
        return None


def export_state(level: LevelFile, path: Path | None) -> ExportedEvent:
    """Return the state of a level's last export, from its status file `path`.

    `path` is None if the level is in no project.
    """
    reported: ExportedEvent = {
        "event": "exported",
        "level": level.id,
        "state": "",
        "stale": False,
        "error": "",
        "complete": True,
        "kept": 0,
        "seconds": 0.0,
        "step": None,
        "pack": "",
    }
    if path is None:
        return reported
    try:
        document = json.loads(read_input(path, _MAXIMUM_BYTES))
    except FileNotFoundError:
        return {**reported, "state": "never"}
    except (OSError, ValueError, RecursionError):
        return {**reported, "state": "unknown"}
    if not isinstance(document, dict) or document.get("status") not in ("built", "failed"):
        return {**reported, "state": "unknown"}
    remaining = document.get("kept")
    result: ExportedEvent = {
        **reported,
        "complete": document.get("complete") is not False,
        "kept": len(remaining) if isinstance(remaining, list) else 0,
        "seconds": _age(path),
    }
    if document["status"] == "failed":
        return {**result, "state": "failed", "error": _first_error(document.get("errors"))}
    return {**result, "state": "built", "stale": _is_stale(level, document)}


def _age(path: Path) -> float:
    try:
        return max(0.0, time.time() - path.stat().st_mtime)
    except OSError:
        return 0.0


def _first_error(errors: object) -> str:
    first = errors[0] if isinstance(errors, list) and errors else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(message, str):
        return ""
    line = first.get("line") if isinstance(first, dict) else None
    position = f"line {line}: " if type(line) is int and line > 0 else ""
    # JSON lets halves of characters through, which cannot be sent.
    return position + cut(message.encode("utf-8", "replace").decode(), _LONGEST_ERROR)


def _is_stale(level: LevelFile, document: dict[str, Any]) -> bool:
    """Return whether the level's files differ from those that were exported.

    `document` is the status file, with the hashes of the exported files. Without hashes return
    False.
    """
    digests = document.get("digest"), document.get("edits_digest")
    if not isinstance(digests[0], str) or not _DIGEST.fullmatch(digests[0]):
        return False
    try:
        edits = level.read_edits()
        now = digest_of(level.read()), "" if edits is None else digest_of(edits)
    except ExporterError:
        return True
    return now != digests
