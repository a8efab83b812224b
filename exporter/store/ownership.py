"""Find a file's owner from its content and the manifest."""

from __future__ import annotations

import stat
from collections.abc import Collection
from enum import Enum

from exporter.model.lazy_dataclass import dataclass
from exporter.store.atomic_files import Signature, signature_of
from exporter.store.contents import FileRules, matching
from exporter.store.folder import Folder


class FileState(Enum):
    """The state of an output file."""

    NOBODYS = "nothing stands there"
    WANTED = "the content it is to have"
    OURS = "another content that we wrote: it may be replaced or removed"
    EDITED = "ours once, and changed since by somebody: theirs"
    FOREIGN = "never ours"
    IN_THE_WAY = "no file at all"
    UNREADABLE = "a file that cannot be read"


# What no export touches.
THEIRS = frozenset(
    (FileState.EDITED, FileState.FOREIGN, FileState.IN_THE_WAY, FileState.UNREADABLE)
)


@dataclass(frozen=True, slots=True)
class Look:
    """The present file at an output's path.

    Attributes:
        whose: Its owner.
        signature: The file's signature when it was checked.
        data: Its content, if it had to be read.
        content: The hash of its content, if known; empty otherwise.
    """

    whose: FileState
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
) -> Look:
    """Find the owner of a file.

    Args:
        folder: The project's folder.
        path: The file, relative to it.
        expected: SHA-256 of its intended content; empty for none.
        known: SHA-256 of contents that we wrote at some time.
        rules: Rules for reading sidecars.
        sidecar: Whether only the keys that we write count.
        unchanged: A signature and its content, so that a file with this signature need not be read.

    Raises:
        OutsideError: The file really lies outside the writable folders.
    """
    try:
        status = folder.status(path)
        signature = signature_of(status)
        if stat.S_ISLNK(status.st_mode):  # a foreign link, so its target is not ours
            return Look(FileState.EDITED if any(known) else FileState.FOREIGN, signature)
        if not stat.S_ISREG(status.st_mode):
            return Look(FileState.IN_THE_WAY)
        if unchanged is not None and unchanged[0] == signature:
            state = FileState.WANTED if unchanged[1] == expected else FileState.OURS
            return Look(state, signature, content=unchanged[1])
        data, status = folder.read(path)
        signature = signature_of(status)
    except (FileNotFoundError, NotADirectoryError):
        return Look(FileState.NOBODYS)
    except OSError:
        return Look(FileState.UNREADABLE)
    contents = {content for content in (expected, *known) if content}
    result = matching(data, contents, rules, path, sidecar=sidecar)
    if result is None:
        return Look(FileState.EDITED if any(known) else FileState.FOREIGN, signature, data)
    return Look(FileState.WANTED if result == expected else FileState.OURS, signature, data, result)
