"""Writes a draft into its file, unless the file has changed meanwhile."""

from __future__ import annotations

from exporter.model.errors import ChangedFileError
from exporter.project.saving import save_spec
from exporter.studio.drafts import Draft
from exporter.studio.levels import LevelFile


def save_draft(level: LevelFile, draft: Draft) -> bytes | None:
    """Write a draft into its file.

    Returns:
        None; or the text of the file, if that is not the one the draft began with: nothing is
        written then.

    Raises:
        StoreError: It cannot be written.
    """
    if not draft.changed:
        return None
    try:
        save_spec(level.path, draft.base, draft.content, level.root)
    except ChangedFileError as error:
        theirs = error.present or b""
        return None if theirs == draft.content else theirs
    return None
