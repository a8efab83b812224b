"""Store unsaved drafts in the user's folder, to survive restarts.

Each tab has one file, which only this user can read. Old, large and surplus files are deleted, the
oldest first.
"""

from __future__ import annotations

import base64
import contextlib
import json
import re
import time
from pathlib import Path
from typing import Any

from exporter.model.errors import ExporterError, StoreError
from exporter.model.input_files import read_input
from exporter.model.lazy_dataclass import dataclass
from exporter.store.folder import Folder
from exporter.studio.drafts import Draft
from exporter.studio.user_state import user_state

MAXIMUM_FILES = 64
MAXIMUM_FILE_BYTES = 32 << 20
MAXIMUM_DAYS = 30
_VERSION = 1
_SESSION = re.compile(r"[A-Za-z0-9_-]{8,64}")
_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class StoredDraft:
    """An unsaved draft, stored to survive restarts.

    `file` is the name of the draft's spec file; `draft` has the spec's text and its hand edits.
    """

    file: str
    draft: Draft


# Drafts by the ids of their levels.
Drafts = dict[str, StoredDraft]


class DraftFiles:
    """The files with unsaved drafts, one for each session.

    `project_or_spec` is the project's folder, or the one spec that is served.
    """

    def __init__(self, project_or_spec: Path) -> None:
        self._folder = user_state(project_or_spec)

    def sessions(self) -> list[str]:
        """Return the ids of sessions with stored drafts, newest first.

        Files that are too old or too many are deleted.
        """
        files: list[tuple[float, Path]] = []
        with contextlib.suppress(OSError):
            for path in self._folder.iterdir():
                if path.suffix == _SUFFIX and _SESSION.fullmatch(path.stem):
                    files.append((path.stat().st_mtime, path))
        files.sort(reverse=True)
        oldest = time.time() - MAXIMUM_DAYS * 86_400
        for position, (written, path) in enumerate(files):
            if position >= MAXIMUM_FILES or written < oldest:
                self.remove(path.stem)
        return [path.stem for written, path in files[:MAXIMUM_FILES] if written >= oldest]

    def write(self, session: str, drafts: Drafts) -> None:
        """Store the unsaved drafts of a session; without any, delete its file.

        `session` is the session's id; `drafts` has the drafts by the ids of their levels.
        """
        if not drafts:
            self.remove(session)
            return
        document = {
            "version": _VERSION,
            "drafts": {id: _document(stored) for id, stored in drafts.items()},
        }
        content = json.dumps(document, separators=(",", ":")).encode()
        if len(content) > MAXIMUM_FILE_BYTES:
            return
        # If the folder cannot be written, only this copy of the drafts is missing.
        with contextlib.suppress(OSError, StoreError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with Folder(self._folder, closed=False).open(".") as folder:
                folder.write(session + _SUFFIX, content, durable=False, mode=0o600)

    def read(self, session: object) -> Drafts:
        """Return the stored drafts of a session by its id, except damaged ones."""
        if not isinstance(session, str) or not _SESSION.fullmatch(session):
            return {}
        drafts: Drafts = {}
        try:
            document = json.loads(
                read_input(self._folder / (session + _SUFFIX), MAXIMUM_FILE_BYTES)
            )
            if document["version"] != _VERSION:
                return {}
            for id, item in document["drafts"].items():
                with contextlib.suppress(ExporterError):
                    drafts[id] = _stored(item)
        except (
            OSError,
            ExporterError,
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            RecursionError,
        ):
            return drafts
        return drafts

    def remove(self, session: str) -> None:
        """Delete the file of the session with this id."""
        with contextlib.suppress(OSError):
            (self._folder / (session + _SUFFIX)).unlink()


def _document(stored: StoredDraft) -> dict[str, Any]:
    draft = stored.draft
    edits = draft.edits_base if draft.faults else draft.built_edits(stored.file)
    return {
        "file": stored.file,
        "base": _text(draft.base),
        "content": _text(draft.content),
        "edits_base": _text(draft.edits_base),
        "edits": _text(edits),
        "linked": draft.linked,
    }


def _stored(item: dict[str, Any]) -> StoredDraft:
    base, content = _bytes(item["base"]), _bytes(item["content"])
    if base is None or content is None:
        raise ValueError("a draft has a text")
    draft = Draft.restored(
        base,
        content,
        _bytes(item["edits_base"]),
        _bytes(item["edits"]),
        str(item["file"]),
        linked=bool(item["linked"]),
    )
    return StoredDraft(str(item["file"]), draft)


def _text(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode()


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text, validate=True)
