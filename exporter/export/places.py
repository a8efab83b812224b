"""Access the files of a shared store in a folder or at a URL.

A location stores complete files by name. A file appears whole or not at all, and equal names have
equal bytes, so any number of machines may write at the same time. A folder needs no package besides
the exporter.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from exporter.model.errors import FarmError
from exporter.store.folder import MAXIMUM_BYTES, Folder

# Object stores: a file appears when it was sent completely, and there are no folders.
_OBJECT_STORES = frozenset(
    ("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oci", "oss", "tos", "memory")
)
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_MISSING = (errno.ENOENT, errno.ENOTDIR)


class Location(Protocol):
    """A folder or URL that contains the files of a shared store.

    Every method raises FarmError if the folder or URL cannot be reached or refuses access.
    """

    @property
    def title(self) -> str:
        """The path or URL for messages, without passwords."""

    def read(self, name: str) -> bytes | None:
        """Return the content of the file `name`; None if it is missing."""

    def write(self, name: str, data: bytes) -> None:
        """Write `data` to the file `name`, which appears whole or not at all."""

    def has(self, name: str, size: int | None = None) -> bool:
        """Return whether file `name` exists, and with `size` bytes if given."""

    def names(self, folder: str) -> list[str]:
        """Return the sorted names in folder `folder`; empty if it is missing."""


def open_location(url: str) -> Location:
    """Return the location at the path or URL `url`.

    Raises:
        FarmError: The URL is malformed, or no installed package opens such URLs.
    """
    if not _URL.match(url):
        return LocalFolder(Path(url))
    if url.lower().startswith("file://"):
        return LocalFolder(Path(_local_path(url)))
    return RemoteLocation(url)


def is_remote(url: str) -> bool:
    """Return whether `url` is reached over a network: not a path or file URL."""
    return bool(_URL.match(url)) and not url.lower().startswith("file://")


def absolute(url: str) -> str:
    """Return `url` as an absolute path if it is a path; other URLs unchanged."""
    if _URL.match(url):
        return url
    return os.path.abspath(url)


def url_without_secrets(url: str) -> str:
    """Return `url` without a user name and password."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return url
    position, slash, path = rest.partition("/")
    return f"{scheme}://{position.rpartition('@')[2]}{slash}{path}"


def _local_path(url: str) -> str:
    parts = urlsplit(url)
    path = unquote(parts.path)
    if parts.netloc not in ("", "localhost"):
        return f"//{parts.netloc}{path}"  # a Windows share
    return path.lstrip("/") if re.match(r"/[A-Za-z]:", path) else path


class LocalFolder:
    """A location in a folder of this machine, or in a mounted folder.

    The folder is created only if its parent exists: a missing mount must not become an ordinary
    folder. It is created once: a folder that vanishes later is an error.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folder = Folder(root, closed=False, follow=False)

    @property
    def title(self) -> str:
        """The folder's path."""
        return str(self.root)

    def could_be_built(self) -> bool:
        """Return whether the folder is missing, but its parent exists.

        Then `make` can create the folder.
        """
        return not self._exists() and self.root.parent.is_dir()

    def make(self) -> None:
        """Create the folder if it is missing.

        Raises:
            FarmError: The folder cannot be made, or its parent is missing.
        """
        try:
            self.root.mkdir(exist_ok=True)
        except FileNotFoundError:
            message = f"{self.title}: there is no folder {str(self.root.parent)!r} (is it mounted?)"
            raise FarmError(message) from None
        except OSError as error:
            raise self._error(error) from None

    def read(self, name: str) -> bytes | None:
        """Return the content of the file `name`; None if it is missing."""
        try:
            return self._folder.read(name)[0]
        except OSError as error:
            if error.errno in _MISSING and self._exists():
                return None
            raise self._error(error) from None

    def write(self, name: str, data: bytes) -> None:
        """Write `data` to the file `name`, which appears whole or not at all."""
        try:
            # A file damaged by a power cut is detected by its hash and rewritten.
            self._folder.write(name, data, durable=False, make=True)
        except OSError as error:
            raise self._error(error) from None

    def has(self, name: str, size: int | None = None) -> bool:
        """Return whether file `name` exists, and with `size` bytes if given."""
        try:
            result = self._folder.status(name).st_size
        except OSError as error:
            if error.errno in _MISSING and self._exists():
                return False
            raise self._error(error) from None
        return size is None or result == size

    def names(self, folder: str) -> list[str]:
        """Return the sorted names in folder `folder`; empty if it is missing."""
        try:
            with self._folder.open(folder) as directory:
                return sorted(directory.names())
        except OSError as error:
            if error.errno in _MISSING and self._exists():
                return []
            raise self._error(error) from None

    def _exists(self) -> bool:
        return self.root.is_dir()

    def _error(self, error: OSError) -> FarmError:
        if error.errno in _MISSING and not self._exists():
            return FarmError(
                f"{self.title}: the folder of the store does not exist (is it mounted?)"
            )
        return FarmError(f"{self.title}: {error.strerror or error}")


class NoLocation:
    """An empty location, for dry runs with a store that does not exist yet."""

    def __init__(self, title: str) -> None:
        self._title = title

    @property
    def title(self) -> str:
        """The path or URL that the location would have."""
        return self._title

    def read(self, name: str) -> bytes | None:
        """Return None: no file exists."""
        return None

    def write(self, name: str, data: bytes) -> None:
        """Do nothing."""

    def has(self, name: str, size: int | None = None) -> bool:
        """Return False: no file exists."""
        return False

    def names(self, folder: str) -> list[str]:
        """Return an empty list: no file exists."""
        return []


class RemoteLocation:
    """A location at a URL such as `s3://...`, opened by the package `fsspec`.

    Nothing is cached: each call asks the remote service.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        scheme = url.partition("://")[0].lower()
        self._whole_at_once = scheme in _OBJECT_STORES
        with self._errors_named():
            self._files, self._root = _open_file_system(url)

    @property
    def title(self) -> str:
        """The URL without user name and password."""
        return url_without_secrets(self.url)

    def read(self, name: str) -> bytes | None:
        """Return the content of the file `name`; None if it is missing."""
        with self._errors_named():
            try:
                # A larger file is cut, and then does not match its name.
                return bytes(self._files.cat_file(self._path(name), start=0, end=MAXIMUM_BYTES))
            except FileNotFoundError:
                return None
            except OSError as error:
                if error.errno != errno.EINVAL:
                    raise
                return bytes(self._files.cat_file(self._path(name)))  # an empty file has no range

    def write(self, name: str, data: bytes) -> None:
        """Write `data` to the file `name`, which appears whole or not at all."""
        path = self._path(name)
        with self._errors_named():
            if self._whole_at_once:
                self._files.pipe_file(path, data)
                return
            folder = path.rpartition("/")[0]
            self._files.makedirs(folder, exist_ok=True)
            temporary = f"{folder}/.{secrets.token_hex(8)}.tmp"
            self._files.pipe_file(temporary, data)
            self._files.mv(temporary, path)

    def has(self, name: str, size: int | None = None) -> bool:
        """Return whether file `name` exists, and with `size` bytes if given."""
        with self._errors_named():
            try:
                result = self._files.info(self._path(name))
            except FileNotFoundError:
                return False
        return size is None or result.get("size") == size

    def names(self, folder: str) -> list[str]:
        """Return the sorted names in folder `folder`; empty if it is missing."""
        path = self._path(folder)
        with self._errors_named():
            try:
                result = self._files.ls(path, detail=False)
            except FileNotFoundError:
                return []
        names = (str(item).rstrip("/").rpartition("/")[2] for item in result)
        # Some stores list the folder itself.
        return sorted({name for name in names if name and name != path.rpartition("/")[2]})

    def _path(self, name: str) -> str:
        return self._root if name == "." else f"{self._root}/{name}"

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        """Turn every error of a `with` block into a FarmError that has the URL.

        This is needed because each kind of file system raises classes of its own.
        """
        try:
            yield
        except FarmError:
            raise
        except Exception as error:
            text = str(error) or type(error).__name__
            raise FarmError(f"{self.title}: {text}") from None


def _open_file_system(url: str) -> tuple[Any, str]:
    """Return the fsspec file system for `url`, and the path in it."""
    try:
        import fsspec
    except ImportError:
        message = (
            f"{url_without_secrets(url)}: stores at a URL need the package fsspec "
            "(`pip install level-exporter[cluster]`; a folder needs none)"
        )
        raise FarmError(message) from None
    scheme = url.partition("://")[0].lower()
    if scheme not in fsspec.available_protocols():
        public_url = url_without_secrets(url)
        raise FarmError(
            f"{public_url}: no installed package opens {scheme}:// (use a folder, or install the "
            "package for it)"
        )
    files, root = fsspec.core.url_to_fs(url, use_listings_cache=False, skip_instance_cache=True)
    return files, str(root).rstrip("/")
