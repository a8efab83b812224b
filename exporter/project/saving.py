"""Save texts that users also edit: specs and files with hand edits.

A file is replaced atomically, and only if it still has the text from which the new one was made:
later changes by others are never overwritten. Permissions stay, and a link stays a link: the file
it leads to is replaced.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from exporter.model.errors import ChangedFileError, StoreError
from exporter.model.limits import MAXIMUM_EDITS_BYTES
from exporter.project.project import display_path
from exporter.store.folder import Directory, Folder
from exporter.store.held_files import refused


def save_spec(path: Path, expected: bytes, content: bytes, root: Path | None = None) -> None:
    """Replace the text of a spec.

    Args:
        path: The spec.
        expected: The text from which the new one was made.
        content: The new text.
        root: The folder of the project, in which the spec must really lie; None for a spec that
            the user named.

    Raises:
        ChangedFileError: It has another text now.
        StoreError: It lies elsewhere, is read-only, is also found under other names (which would
            keep the old text), or cannot be written.
    """
    check_replaceable(path, root)
    save_text(path, expected, content)


def check_replaceable(path: Path, root: Path | None = None) -> None:
    """Check that a text can be replaced; as for `save_spec`.

    Args:
        path: The file, which need not be there.
        root: The folder of the project, in which it must really lie; None for anywhere.

    Raises:
        StoreError: It lies elsewhere, is read-only, or is also found under other names.
    """
    position = Path(os.path.realpath(path))
    if root is not None and not position.is_relative_to(os.path.realpath(root)):
        raise StoreError(f"{display_path(path)} is outside the project (name the file itself)")
    try:
        # A folder has several links, too.
        if position.exists() and not position.is_file():
            raise StoreError(f"{path}: something that is not a file has this name")
        if position.exists() and not os.access(position, os.W_OK):
            raise StoreError(f"{path}: it is read-only")
        if position.exists() and position.stat().st_nlink > 1:
            raise StoreError(f"{path}: it has other hard links, which would keep the old text")
    except OSError as error:
        raise refused(error, path) from None


def save_text(path: Path, expected: bytes | None, content: bytes) -> None:
    """Replace a text file, or make one.

    Args:
        path: The file; of a link the file it leads to.
        expected: The text from which the new one was made; None if there was no file.
        content: The new text.

    Raises:
        ChangedFileError: It has another text now.
        StoreError: It cannot be written.
    """
    position = Path(os.path.realpath(path))
    try:
        with Folder(position.parent, closed=False).open(".") as folder:
            _check(folder, position.name, path, expected)
            temporary = folder.create(position.name, content, durable=True)
            try:
                # Writing to the disk takes a while, and the file may change meanwhile.
                _check(folder, position.name, path, expected)
                folder.replace(temporary, position.name)
            except BaseException:
                with contextlib.suppress(OSError):
                    folder.unlink(temporary)
                raise
    except OSError as error:
        raise refused(error, path) from None


def check_text(path: Path, expected: bytes | None) -> None:
    """Check that a text file is unchanged, as `save_text` does.

    Raises:
        ChangedFileError: Its text has changed.
        StoreError: It cannot be read, or is too large.
    """
    position = Path(os.path.realpath(path))
    try:
        with Folder(position.parent, closed=False).open(".") as folder:
            _check(folder, position.name, path, expected)
    except OSError as error:
        raise refused(error, path) from None


def _check(folder: Directory, name: str, path: Path, expected: bytes | None) -> None:
    """Check that a file has the text that is expected."""
    present: bytes | None
    try:
        present = folder.read(name, MAXIMUM_EDITS_BYTES)[0]
    except FileNotFoundError:
        present = None
    if present != expected:
        message = f"{path}: it changed meanwhile (run the command again)"
        raise ChangedFileError(message, present)
