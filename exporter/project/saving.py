"""Save files that users also edit: specs and hand edits.

A file is replaced atomically, and only if it still has the text that the change was based on, so
changes by others are never overwritten. Permissions are kept. A link is kept; the file that it
leads to is replaced.
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
    """Replace the text of a spec, unless someone else has changed it.

    Args:
        path: The path of the spec.
        expected: The text that the change was based on.
        content: The new text.
        root: The project folder that must contain the spec after resolving links; None for a spec
            that the user named.

    Raises:
        ChangedFileError: The file has another text now.
        StoreError: The file is outside the project, is read-only, has other names (hard links,
            which would keep the old text), or cannot be written.
    """
    check_replaceable(path, root)
    save_text(path, expected, content)


def check_replaceable(path: Path, root: Path | None = None) -> None:
    """Check that the text file `path`, which may be missing, may be replaced.

    `root` is the project folder that must contain the file after resolving links; None allows any.

    Raises:
        StoreError: The file is outside the project, is read-only, or has hard links: other names,
            which would keep the old text.
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
    """Replace or create a text file, unless others have changed it.

    Args:
        path: The path of the file; links are followed.
        expected: The text that the change was based on; None if there was no file.
        content: The new text.

    Raises:
        ChangedFileError: The file has another text now.
        StoreError: The file cannot be written.
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
    """Check that the text file `path` still has the text `expected`.

    If `expected` is None, there must be no file.

    Raises:
        ChangedFileError: The text has changed.
        StoreError: The file cannot be read or is too large.
    """
    position = Path(os.path.realpath(path))
    try:
        with Folder(position.parent, closed=False).open(".") as folder:
            _check(folder, position.name, path, expected)
    except OSError as error:
        raise refused(error, path) from None


def _check(folder: Directory, name: str, path: Path, expected: bytes | None) -> None:
    """Check that a file in an open folder still has the text `expected`.

    If `expected` is None, there must be no such file. `path` is the file's path for messages.
    """
    present: bytes | None
    try:
        present = folder.read(name, MAXIMUM_EDITS_BYTES)[0]
    except FileNotFoundError:
        present = None
    if present != expected:
        message = f"{path}: it changed meanwhile (run the command again)"
        raise ChangedFileError(message, present)
