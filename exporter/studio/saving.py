"""Write a draft into its files, unless these have changed meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

from exporter.model.errors import ChangedFileError, StoreError
from exporter.model.lazy_dataclass import dataclass
from exporter.project.level_files import LevelFile
from exporter.project.saving import check_replaceable, check_text, save_spec, save_text
from exporter.studio.drafts import Draft


@dataclass(frozen=True, slots=True)
class Saved:
    """The result of trying to save a draft.

    Attributes:
        edits: The text of the edits file after saving; None without a file.
        conflict: The texts of the draft and of the file, if the file was changed elsewhere and
            nothing was written; otherwise None.
        was_deleted: Whether the spec's file was deleted; then nothing was written.
    """

    edits: bytes | None
    conflict: tuple[bytes, bytes] | None = None
    was_deleted: bool = False


def save_draft(level: LevelFile, draft: Draft) -> Saved:
    """Write `draft` into the files of `level`, unless they changed elsewhere.

    Raises:
        SpecError: The text with hand edits cannot be changed in place.
        StoreError: A file cannot be written.
    """
    edits = draft.edits_text(level.name)
    if not os.path.lexists(level.path):
        return Saved(edits, was_deleted=True)
    try:
        # Both are checked before either is written.
        spec_waits = _waits(level.path, draft.base, draft.content)
        edits_wait = _waits(level.edits, draft.edits_base, edits)
        if edits_wait:
            from exporter.export.import_edits import write_edits_file

            check_replaceable(level.edits, level.root)
            write_edits_file(level.edits, draft.edits_base, edits or b"")
        if spec_waits:
            save_spec(level.path, draft.base, draft.content, level.root)
    except _OtherTextError as error:
        return Saved(edits, error.texts)
    except ChangedFileError as error:
        # The file changed between the check and the write.
        return Saved(edits, (draft.content, error.present or b""))
    return Saved(edits)


def save_again(level: LevelFile, draft: Draft) -> None:
    """Write the files of a draft again, after its spec was deleted or renamed.

    `level` has the paths of the files.

    Raises:
        ChangedFileError: A new file exists at one of the paths.
        SpecError: The text with hand edits cannot be changed in place.
        StoreError: A file cannot be written.
    """
    check_replaceable(level.path, level.root)
    if level.root is not None:
        if not level.root.is_dir():
            raise StoreError(f"the project's folder {level.root} is missing (restore it first)")
        # Another branch may have no folder of this name.
        try:
            level.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{level.path.parent}: {error.strerror or error}") from None
    edits = draft.edits_text(level.name)
    present = level.read_edits()
    if edits is not None and present is None:
        check_replaceable(level.edits, level.root)
        save_text(level.edits, None, edits)
    save_text(level.path, None, draft.content)


class _OtherTextError(Exception):
    def __init__(self, mine: bytes, theirs: bytes) -> None:
        super().__init__()
        self.texts = mine, theirs


def _waits(path: Path, base: bytes | None, expected: bytes | None) -> bool:
    """Return whether the text `expected` must still be written to `path`.

    `base` is the text that the draft is based on.

    Raises:
        _OtherTextError: The file's text is neither `base` nor `expected`.
    """
    if expected == base:
        return False
    try:
        check_text(path, base)
    except ChangedFileError as error:
        if error.present == expected:
            return False
        raise _OtherTextError(expected or b"", error.present or b"") from None
    return True
