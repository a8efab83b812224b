"""Store results of levels for several machines, and the files by hash.

    level-exporter-store.json           marks the store
    contents/AB/CDEF...                 a file's bytes; its name is their SHA-256
    levels/AB/CDEF.../0123...           a record: the result of a level's key, and the files
                                        that were read; its name is the SHA-256 of the record

A key has several records if the same spec read different versions of files. Files are only added,
by any machine in any order, since their names follow from their bytes. A record is written after
the contents that it names. Nothing is removed; a store that has grown too large is deleted as a
whole.

Every file read is compared with its name. A damaged file counts as missing; it is reported, and
rewritten when the level has been built again. (Constructive traces, in Mokhov, Mitchell and Peyton
Jones, "Build Systems a la Carte", 2018.)
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator

from exporter.export.places import LocalFolder, Location, NoLocation, open_location
from exporter.model.errors import FarmError
from exporter.model.keys import content_key

MARK = "level-exporter-store.json"
VERSION = 1
_MARK_TEXT = b'{"store": 1}\n'
_CONTENTS = "contents"
_LEVELS = "levels"
_DIGEST = re.compile(r"[0-9a-f]{64}")
# The most records to read for one key; more would come from a bug.
MAXIMUM_RECORDS = 64


class SharedStore:
    """A store of results and file contents that several machines share.

    Args:
        location: The folder or URL of the store.
        read_only: Whether to write nothing.

    Attributes:
        damaged: The names of files whose contents do not match their hashes.
    """

    def __init__(self, location: Location, *, read_only: bool = False) -> None:
        self.location = location
        self.read_only = read_only
        self.damaged: set[str] = set()
        self._lock = threading.Lock()
        # Files known to exist, so that shared tilesets are not looked up for every level.
        self._there: set[str] = set()

    @classmethod
    def open(cls, url: str, *, read_only: bool = False) -> SharedStore:
        """Open the store at a path or URL; create it if the location is empty.

        If `read_only` is true, nothing is written.

        Raises:
            FarmError: The location cannot be reached, has other files, or has a store of another
                version.
        """
        position = open_location(url)
        if isinstance(position, LocalFolder):
            if read_only and position.could_be_built():
                return cls(NoLocation(position.title), read_only=True)
            position.make()
        store = cls(position, read_only=read_only)
        mark = position.read(MARK)
        if mark is None and any(not name.startswith(".") for name in position.names(".")):
            mark = position.read(MARK)  # another machine may have begun the store just now
            if mark is None:
                message = f"{position.title}: it is no store of the exporter, and not empty"
                raise FarmError(f"{message} (name an empty or a new folder)")
        if mark is not None:
            _check_mark(mark, position.title)
        elif not read_only:
            position.write(MARK, _MARK_TEXT)
        return store

    @property
    def title(self) -> str:
        """The path or URL of the store for messages, without passwords."""
        return self.location.title

    def content(self, sha256: str) -> bytes | None:
        """Return the bytes whose SHA-256 is `sha256`; None if missing or damaged."""
        return self._verify(_path(_CONTENTS, sha256), sha256)

    def save_content(self, sha256: str, data: bytes, *, rewrite: bool = False) -> None:
        """Store `data`, the content of a file, under its hash `sha256`.

        If `rewrite` is true, overwrite a stored file, which may be damaged.
        """
        self._save(_path(_CONTENTS, sha256), data, rewrite=rewrite)

    def records(self, key: str) -> Iterator[bytes]:
        """Yield the undamaged records (encoded results) under `key`."""
        folder = _path(_LEVELS, key)
        names = [name for name in self.location.names(folder) if _DIGEST.fullmatch(name)]
        for name in names[:MAXIMUM_RECORDS]:
            record = self._verify(f"{folder}/{name}", name)
            if record is not None:
                yield record

    def save_record(self, key: str, record: bytes, *, rewrite: bool = False) -> None:
        """Store `record`, an encoded result, under `key`.

        The contents that it names must be stored already. If `rewrite` is true, overwrite a stored
        record, which may be damaged.
        """
        self._save(f"{_path(_LEVELS, key)}/{content_key(record)}", record, rewrite=rewrite)

    def has_record(self, key: str, record: bytes) -> bool:
        """Return whether exactly `record` is stored under `key`."""
        return self.location.has(f"{_path(_LEVELS, key)}/{content_key(record)}", len(record))

    def _verify(self, path: str, digest: str) -> bytes | None:
        data = self.location.read(path)
        if data is None:
            return None
        if content_key(data) != digest:
            with self._lock:
                self.damaged.add(path)
                self._there.discard(path)
            return None
        return data

    def _save(self, path: str, data: bytes, *, rewrite: bool) -> None:
        if self.read_only:
            return
        with self._lock:
            known = path in self._there
            rewrite = (rewrite and not known) or path in self.damaged
        if known:
            return
        if rewrite or not self.location.has(path, len(data)):
            self.location.write(path, data)
        with self._lock:
            self._there.add(path)
            self.damaged.discard(path)


def _path(kind: str, digest: str) -> str:
    if not _DIGEST.fullmatch(digest):
        raise ValueError(f"{digest!r} is no SHA-256")
    return f"{kind}/{digest[:2]}/{digest[2:]}"


def _check_mark(mark: bytes, title: str) -> None:
    try:
        version = json.loads(mark)["store"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FarmError(f"{title}: its file {MARK} does not mark a store") from None
    if version != VERSION:
        message = f"{title}: a store of version {version!r}; this exporter reads version {VERSION}"
        raise FarmError(f"{message} (name another place, or update the exporter)")
