"""Find out whether the exporter or a user wrote an output file."""

from __future__ import annotations

import stat
from collections.abc import Collection
from enum import Enum

from exporter.model.lazy_dataclass import dataclass
from exporter.store.atomic_files import Signature, signature_of
from exporter.store.contents import FileRules, matching
from exporter.store.folder import Folder


class FileState(Enum):
    """What is at the path of an output file, and who wrote it.

    The values are texts in which "we" is the exporter, and "they" the user.
    """

    MISSING = "there is no file"
    UP_TO_DATE = "the content it is to have"
    STALE = "another content that we wrote: it may be replaced or removed"
    USER_MODIFIED = "ours once, changed since by a user: theirs"
    UNTRACKED = "never ours"
    BLOCKED = "no file at all"
    UNREADABLE = "a file that cannot be read"


# The states of files that an export neither replaces nor removes.
THEIRS = frozenset(
    (FileState.USER_MODIFIED, FileState.UNTRACKED, FileState.BLOCKED, FileState.UNREADABLE)
)


@dataclass(frozen=True, slots=True)
class FileProbe:
    """The state of an output file on disk, as `look_at` found it.

    Attributes:
        state: Who wrote the file, and whether it has the content that it should have.
        signature: The file's signature when it was checked; None if no file could be read.
        data: The content; None if it was not read.
        content: The hash of the content if the exporter wrote this content; else empty.
    """

    state: FileState
    signature: Signature | None = None
    data: bytes | None = None
    content: str = ""


def look_at(
    folder: Folder,
    path: str,
    expected: str,
    known: Collection[str],
    rules: FileRules,
    *,
    sidecar: bool = False,
    unchanged: tuple[Signature, str] | None = None,
) -> FileProbe:
    """Find out who wrote the file at `path`, and whether it is up to date.

    Args:
        folder: The project's folder.
        path: The path of the file, relative to the folder.
        expected: The SHA-256 of the content that the file should have; empty if none.
        known: The SHA-256 of all contents that the exporter wrote earlier.
        rules: The rules that tell which keys of a sidecar are the exporter's.
        sidecar: Whether the file is a settings file that an engine completes: then only the keys
            that the exporter wrote are compared.
        unchanged: The file's signature (times and inode) when it was last read, and the hash of its
            content then. A file that still has this signature is not read again.

    Raises:
        OutsideError: The file is outside the writable folders after resolving links.
    """
    try:
        status = folder.status(path)
        signature = signature_of(status)
        if stat.S_ISLNK(status.st_mode):  # a foreign link, so its target is not ours
            return FileProbe(
                FileState.USER_MODIFIED if any(known) else FileState.UNTRACKED, signature
            )
        if not stat.S_ISREG(status.st_mode):
            return FileProbe(FileState.BLOCKED)
        if unchanged is not None and unchanged[0] == signature:
            state = FileState.UP_TO_DATE if unchanged[1] == expected else FileState.STALE
            return FileProbe(state, signature, content=unchanged[1])
        data, status = folder.read(path)
        signature = signature_of(status)
    except (FileNotFoundError, NotADirectoryError):
        return FileProbe(FileState.MISSING)
    except OSError:
        return FileProbe(FileState.UNREADABLE)
    contents = {content for content in (expected, *known) if content}
    result = matching(data, contents, rules, path, sidecar=sidecar)
    if result is None:
        return FileProbe(
            FileState.USER_MODIFIED if any(known) else FileState.UNTRACKED, signature, data
        )
    return FileProbe(
        FileState.UP_TO_DATE if result == expected else FileState.STALE, signature, data, result
    )
