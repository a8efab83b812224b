"""Read and write the files of a project safely.

All writing goes through this module. A project may come from a stranger, with links anywhere. So
the links of a path are resolved first; the result must be inside the project's folder, or inside an
outside folder that the user trusts. Then each folder on the path is opened in turn, refusing links,
and all work is relative to the open folder: if somebody swaps a folder for a link meanwhile, the
work fails. Files are opened without following links and without waiting (a pipe would block), and
are created under random names that must not exist yet.

On systems without folder handles (Windows), paths are resolved and checked right before use.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from exporter.model.errors import OutsideError
from exporter.store.file_names import check_names, temporary_name
from exporter.store.held_files import insist

# No file of ours is larger.
MAXIMUM_BYTES = 1 << 30
_HANDLES = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_PLAIN = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_DIRECTORY", 0)


class Directory:
    """An open folder; its methods take names of direct children.

    Attributes:
        path: The path with links resolved, for messages and for systems without handles.
    """

    def __init__(self, path: str, handle: int | None) -> None:
        self.path = path
        self._handle = handle

    def __enter__(self) -> Directory:
        """Return the folder; it is closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the handle."""
        self.close()

    def close(self) -> None:
        """Close the handle of the folder."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def status(self, name: str) -> os.stat_result:
        """Return the status of child `name`; a link is not followed.

        Raises:
            OSError: The child is missing.
        """
        return os.stat(self._at(name), dir_fd=self._handle, follow_symlinks=False)

    def read(self, name: str, most: int = MAXIMUM_BYTES) -> tuple[bytes, os.stat_result]:
        """Return the content of regular file `name`, and its status.

        A file with more than `most` bytes is an error.

        Raises:
            OSError: The child is not a regular file, is a link, is too large, or cannot be read.
        """
        descriptor = self._open(name, os.O_RDONLY)
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EINVAL, "not a regular file", name)
            if status.st_size > most:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), name)
            return file.read(most), status

    def create(self, name: str, data: bytes, *, durable: bool, mode: int = 0o666) -> str:
        """Write a new file under a random name, and return that name.

        Args:
            name: The file that will be replaced, whose permissions the new file gets.
            data: The content.
            durable: Whether to wait until the file is on the disk.
            mode: The permissions if there is no file to replace.

        Raises:
            OSError: The file cannot be written; nothing is left behind.
        """
        temporary = temporary_name()
        descriptor = self._open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with open(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                self._copy_mode(name, descriptor)
                if durable:
                    os.fsync(descriptor)
        except BaseException:
            with contextlib.suppress(OSError):
                self.unlink(temporary)
            raise
        return temporary

    def write(self, name: str, data: bytes, *, durable: bool, mode: int = 0o666) -> None:
        """Replace a file atomically; leave nothing behind on failure.

        Args:
            name: The name of the file.
            data: The content.
            durable: Whether to wait until the file is on the disk.
            mode: The permissions of a new file.

        Raises:
            OSError: The file cannot be written.
        """
        temporary = self.create(name, data, durable=durable, mode=mode)
        try:
            self.replace(temporary, name)
        except BaseException:
            with contextlib.suppress(OSError):
                self.unlink(temporary)
            raise

    def append(self, name: str, *, readable: bool = False) -> int:
        """Open file `name` for appending; return the descriptor.

        A missing file is created.

        Args:
            name: The name of the file.
            readable: Whether to open it for reading, too.

        Raises:
            OSError: The file cannot be opened, or is a link.
        """
        access = os.O_RDWR if readable else os.O_WRONLY
        return self._open(name, access | os.O_CREAT | os.O_APPEND)

    def sync(self, name: str) -> None:
        """Wait until the content of file `name` is on the disk.

        Raises:
            OSError: The disk reports an error.
        """
        descriptor = self._open(name, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def replace(self, old: str, new: str) -> None:
        """Rename file `old` to `new`, replacing any other file.

        Retries while another program holds one of them open.

        Raises:
            OSError: The file cannot be renamed.
        """
        self.move(old, self, new)

    def move(self, old: str, other: Directory, new: str) -> None:
        """Move file `old` to folder `other`, under the name `new`.

        Raises:
            OSError: The file cannot be moved.
        """
        insist(
            partial(
                os.replace,
                self._at(old),
                other._at(new),
                src_dir_fd=self._handle,
                dst_dir_fd=other._handle,
            )
        )

    def link(self, old: str, new: str) -> None:
        """Give file `old` the free name `new`, by a hard link if possible.

        If not, the file is renamed.

        Raises:
            OSError: The name is taken, or the file cannot be renamed.
        """
        names = self._at(old), self._at(new)
        try:
            os.link(*names, src_dir_fd=self._handle, dst_dir_fd=self._handle)
        except FileExistsError:
            raise
        except (OSError, NotImplementedError):
            self.replace(old, new)

    def unlink(self, name: str) -> None:
        """Remove file `name`; of a link, only the link.

        Raises:
            OSError: The file cannot be removed.
        """
        insist(partial(os.unlink, self._at(name), dir_fd=self._handle))

    def rmdir(self, name: str) -> None:
        """Remove the empty folder `name`.

        Raises:
            OSError: The folder is not empty or cannot be removed.
        """
        os.rmdir(self._at(name), dir_fd=self._handle)

    def set_time(self, name: str, nanoseconds: int | None = None) -> None:
        """Set the modification time of file `name`.

        None means the present time.

        Raises:
            OSError: The time cannot be set.
        """
        now = time.time_ns() if nanoseconds is None else nanoseconds
        follow = os.utime not in os.supports_follow_symlinks
        os.utime(self._at(name), ns=(now, now), dir_fd=self._handle, follow_symlinks=follow)

    def names(self) -> list[str]:
        """Return the names of all children of the folder.

        Raises:
            OSError: The folder cannot be listed.
        """
        return os.listdir(self.path if self._handle is None else self._handle)

    def enter(self, name: str, *, make: bool) -> Directory:
        """Open folder `name`, a child that must not be a link.

        `make` creates a missing folder.

        Raises:
            OSError: The folder is missing and `make` is False, or it is a link or no folder.
        """
        if make:
            with contextlib.suppress(FileExistsError):
                os.mkdir(self._at(name), dir_fd=self._handle)
        path = f"{self.path}/{name}"
        if self._handle is None:
            status = os.stat(path, follow_symlinks=False)
            if not stat.S_ISDIR(status.st_mode):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
            return Directory(path, None)
        return Directory(path, os.open(name, _FOLDER, dir_fd=self._handle))

    def _open(self, name: str, flags: int, mode: int = 0o666) -> int:
        """Open a file, refusing links, without waiting for a pipe."""
        if not _NOFOLLOW and not flags & os.O_EXCL:
            with contextlib.suppress(FileNotFoundError):
                if stat.S_ISLNK(self.status(name).st_mode):
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name)
        return os.open(self._at(name), flags | _NOFOLLOW | _PLAIN, mode, dir_fd=self._handle)

    def _at(self, name: str) -> str:
        return name if self._handle is not None else f"{self.path}/{name}"

    def _copy_mode(self, name: str, descriptor: int) -> None:
        with contextlib.suppress(OSError):
            status = self.status(name)
            if stat.S_ISREG(status.st_mode) and hasattr(os, "fchmod"):
                os.fchmod(descriptor, status.st_mode & 0o777)


class Folder:
    """A folder with everything below it, by relative path with `/`.

    Args:
        root: The folder.
        trusted: Returns the resolved paths outside the folder that may also be written.
        closed: Whether to refuse names that outputs must not have.
        follow: Whether to follow links to folders inside this one or trusted ones.
    """

    def __init__(
        self,
        root: Path,
        trusted: Callable[[], Sequence[Path]] = tuple,
        *,
        closed: bool = True,
        follow: bool = True,
    ) -> None:
        self.root = root
        self.trusted = trusted
        self.closed = closed
        self.follow = follow

    def check(self, path: str) -> None:
        """Check that the folder `path`, which may be missing, may be written.

        Raises:
            OutsideError: The folder is outside the writable ones after resolving links, or has a
                reserved name.
        """
        self._resolve(path)

    @contextlib.contextmanager
    def open(self, path: str, *, make: bool = False) -> Iterator[Directory]:
        """Open the folder `path`.

        Args:
            path: The relative path with `/`; `.` is this folder itself.
            make: Whether to make missing folders, including a trusted one, but never this folder
                itself.

        Raises:
            OutsideError: The path is outside the writable folders.
            OSError: The folder cannot be opened.
        """
        base, parts = self._resolve(path)
        if make and base != os.path.realpath(self.root):
            os.makedirs(base, exist_ok=True)
        directory = Directory(base, os.open(base, _FOLDER) if _HANDLES else None)
        try:
            for part in parts:
                inner = directory.enter(part, make=make)
                directory.close()
                directory = inner
            yield directory
        finally:
            directory.close()

    def read(self, path: str, most: int = MAXIMUM_BYTES) -> tuple[bytes, os.stat_result]:
        """Return the content of the regular file `path`, and its status.

        A file with more than `most` bytes is an error.

        Raises:
            OutsideError: The path is outside the writable folders.
            OSError: The file cannot be read.
        """
        folder, name = split(path)
        with self.open(folder) as directory:
            return directory.read(name, most)

    def status(self, path: str) -> os.stat_result:
        """Return the status of the file `path`; a link is not followed.

        Raises:
            OSError: The file is missing.
        """
        return os.lstat(f"{self.root}/{path}")

    def exists(self, path: str) -> bool:
        """Return whether anything, including a link, is at `path`."""
        return os.path.lexists(f"{self.root}/{path}")

    def is_file(self, path: str) -> bool:
        """Return whether a regular file, not a link, is at `path`."""
        try:
            return stat.S_ISREG(self.status(path).st_mode)
        except OSError:
            return False

    def write(
        self,
        path: str,
        data: bytes,
        *,
        durable: bool = True,
        make: bool = False,
        mode: int = 0o666,
    ) -> None:
        """Replace or create the file `path` atomically.

        Args:
            path: The relative path of the file.
            data: The content.
            durable: Whether to wait until the file is on the disk.
            make: Whether to make missing folders.
            mode: The permissions of a new file.

        Raises:
            OutsideError: The path is outside the writable folders.
            OSError: The file cannot be written.
        """
        folder, name = split(path)
        with self.open(folder, make=make) as directory:
            directory.write(name, data, durable=durable, mode=mode)

    def remove(self, path: str) -> None:
        """Remove the file `path`.

        Raises:
            OutsideError: The path is outside the writable folders.
            OSError: The file cannot be removed.
        """
        folder, name = split(path)
        with self.open(folder) as directory:
            directory.unlink(name)

    def remove_empty(self, path: str) -> None:
        """Remove the folder `path`, and the folders above it, while empty."""
        while path not in ("", ".") and ".." not in path.split("/")[-1:]:
            folder, name = split(path)
            try:
                with self.open(folder) as directory:
                    directory.rmdir(name)
            except (OSError, OutsideError):
                return
            path = folder

    def _resolve(self, path: str) -> tuple[str, list[str]]:
        """Return the writable folder that contains a path, and the path's parts."""
        root = os.path.realpath(self.root)
        if not self.follow:
            return root, [part for part in path.split("/") if part != "."]
        real = os.path.realpath(f"{root}/{path}")
        for base in self._bases(root):
            if real == base:
                return base, []
            if real.startswith(base.rstrip("/\\") + os.sep):
                parts = [part for part in real[len(base) :].split(os.sep) if part]
                if self.closed:
                    check_names(parts, path)
                return base, parts
        if self.closed:
            check_names(parts_beside(root, real), path)
        raise OutsideError(f"{path!r} is outside the project, in {real}", trustable=True)

    def _bases(self, root: str) -> Iterator[str]:
        """Yield the writable folders; the trusted ones are read on demand."""
        yield root
        yield from map(str, self.trusted())


def parts_beside(root: str, real: str) -> list[str]:
    """Return the parts of path `real` after those it shares with `root`."""
    ours, parts = root.split(os.sep), real.split(os.sep)
    while ours and parts and ours[0] == parts[0]:
        del ours[0], parts[0]
    return parts


def split(path: str) -> tuple[str, str]:
    """Split `path` into folder (`.` without one) and name."""
    folder, _, name = path.rpartition("/")
    return folder or ".", name
