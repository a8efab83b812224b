"""Writes a draft into its file, unless the file has changed meanwhile."""

from __future__ import annotations

from exporter.model.errors import StoreError
from exporter.store.atomic_files import replace_file
from exporter.studio.drafts import Draft
from exporter.studio.levels import LevelFile


def save_draft(level: LevelFile, draft: Draft) -> bytes | None:
    """Write a draft into its file.

    Returns:
        None; or the text of the file, if that is not the one the draft began with: nothing is
        written then.

    Raises:
        SpecError: The file cannot be read.
        StoreError: It cannot be written.
    """
    theirs = level.read()
    if theirs == draft.content:
        return None
    if theirs != draft.base:
        return theirs
    try:
        # A link stays one: what it leads to is replaced.
        replace_file(level.path.resolve(), draft.content)
    except OSError as error:
        raise StoreError(f"{level.name} cannot be written ({error.strerror or error})") from None
    return None
