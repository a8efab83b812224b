"""Read and write a project's files; all writing goes through here.

A project may come from a stranger, with links anywhere. So a path is first resolved, and must
really lie below the folder itself or below an outside folder that the user trusts. Then it is
opened folder by folder, none of which may be a link, and all work is relative to the open folder:
swapping a folder for a link meanwhile only makes the work fail. Files are opened without following
links and without waiting (a pipe has no end), and are made under random names that must not exist
yet.

Where the system has no folder handles (Windows) paths are resolved and checked right before use.
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
    """An open folder. Names are those of its direct children.

    Attributes:
        path: Its real path, for messages and for systems without handles.
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
        """Close the handle."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def status(self, name: str) -> os.stat_result:
        """Return the status of a child; of a link itself.

        Raises:
            OSError: It is missing.
        """
        return os.stat(self._at(name), dir_fd=self._handle, follow_symlinks=False)

    def read(self, name: str, most: int = MAXIMUM_BYTES) -> tuple[bytes, os.stat_result]:
        """Return a regular file's content, up to a limit, and its status.

        Raises:
            OSError: It is no regular file, is a link, is too large, or cannot be read.
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
        """Write a new file under a random name, and return the name.

        Args:
            name: The file that it will replace, whose permissions it gets.
            data: Its content.
            durable: Wait until it is on the disk.
            mode: Its permissions if there is no file to replace.

        Raises:
            OSError: It cannot be written; nothing is left behind.
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
            name: The file.
            data: Its content.
            durable: Wait until it is on the disk.
            mode: Its permissions if it is new.

        Raises:
            OSError: It cannot be written.
        """
        temporary = self.create(name, data, durable=durable, mode=mode)
        try:
            self.replace(temporary, name)
        except BaseException:
            with contextlib.suppress(OSError):
                self.unlink(temporary)
            raise

    def append(self, name: str, *, readable: bool = False) -> int:
        """Open a file to append, made if missing; return the descriptor.

        Args:
            name: The file.
            readable: Open it for reading, too.

        Raises:
            OSError: It cannot be opened, or is a link.
        """
        access = os.O_RDWR if readable else os.O_WRONLY
        return self._open(name, access | os.O_CREAT | os.O_APPEND)

    def sync(self, name: str) -> None:
        """Wait until a file's content is on the disk.

        Raises:
            OSError: The disk refused.
        """
        descriptor = self._open(name, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def replace(self, old: str, new: str) -> None:
        """Rename a file, replacing any other; wait briefly while it is held open.

        Raises:
            OSError: It cannot be renamed.
        """
        self.move(old, self, new)

    def move(self, old: str, other: Directory, new: str) -> None:
        """Move a file to another folder.

        Raises:
            OSError: It cannot be renamed.
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
        """Make a hard link under a free name, or rename the file.

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
        """Remove a file, or a link itself.

        Raises:
            OSError: It cannot be removed.
        """
        insist(partial(os.unlink, self._at(name), dir_fd=self._handle))

    def rmdir(self, name: str) -> None:
        """Remove an empty folder.

        Raises:
            OSError: It is not empty, or cannot be removed.
        """
        os.rmdir(self._at(name), dir_fd=self._handle)

    def set_time(self, name: str, nanoseconds: int | None = None) -> None:
        """Set a file's modification time; without one, to now.

        Raises:
            OSError: It cannot be set.
        """
        now = time.time_ns() if nanoseconds is None else nanoseconds
        follow = os.utime not in os.supports_follow_symlinks
        os.utime(self._at(name), ns=(now, now), dir_fd=self._handle, follow_symlinks=follow)

    def names(self) -> list[str]:
        """Return the names of all children.

        Raises:
            OSError: They cannot be listed.
        """
        return os.listdir(self.path if self._handle is None else self._handle)

    def enter(self, name: str, *, make: bool) -> Directory:
        """Open a folder in this one, which must not be a link.

        Raises:
            OSError: It is missing and must not be made, or it is a link or no folder.
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
        """Open a file that is no link, without waiting for a pipe."""
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
    """A folder and all that lies below it, by relative path with `/`.

    Args:
        root: The folder.
        trusted: Returns the real paths outside the folder that may also be written.
        closed: Refuse names that no output may have.
        follow: Follow links to folders that lie below this one or are trusted.
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
        """Check that a folder, which need not exist, is one that may be written.

        Raises:
            OutsideError: It really lies elsewhere, or has a reserved name.
        """
        self._resolve(path)

    @contextlib.contextmanager
    def open(self, path: str, *, make: bool = False) -> Iterator[Directory]:
        """Open a folder below this one.

        Args:
            path: Relative, with `/`; `.` is this one itself.
            make: Make the folders that are missing, a trusted one too; but never this one.

        Raises:
            OutsideError: It really lies elsewhere.
            OSError: It cannot be opened.
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
        """Return a regular file's content, up to a limit, and its status.

        Raises:
            OutsideError: It really lies elsewhere.
            OSError: It cannot be read.
        """
        folder, name = split(path)
        with self.open(folder) as directory:
            return directory.read(name, most)

    def status(self, path: str) -> os.stat_result:
        """Return the status of a file; of a link itself.

        Raises:
            OSError: It is missing.
        """
        return os.lstat(f"{self.root}/{path}")

    def exists(self, path: str) -> bool:
        """Return whether anything is at a path, also a link."""
        return os.path.lexists(f"{self.root}/{path}")

    def is_file(self, path: str) -> bool:
        """Return whether a regular file, not a link, is at a path."""
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
        """Replace a file atomically.

        Args:
            path: The file.
            data: Its content.
            durable: Wait until it is on the disk.
            make: Make the folders that are missing.
            mode: Its permissions if it is new.

        Raises:
            OutsideError: It really lies elsewhere.
            OSError: It cannot be written.
        """
        folder, name = split(path)
        with self.open(folder, make=make) as directory:
            directory.write(name, data, durable=durable, mode=mode)

    def remove(self, path: str) -> None:
        """Remove a file.

        Raises:
            OutsideError: It really lies elsewhere.
            OSError: It cannot be removed.
        """
        folder, name = split(path)
        with self.open(folder) as directory:
            directory.unlink(name)

    def remove_empty(self, path: str) -> None:
        """Remove a folder, and the folders above it, if they are empty."""
        while path not in ("", ".") and ".." not in path.split("/")[-1:]:
            folder, name = split(path)
            try:
                with self.open(folder) as directory:
                    directory.rmdir(name)
            except (OSError, OutsideError):
                return
            path = folder

    def _resolve(self, path: str) -> tuple[str, list[str]]:
        """Return the writable folder around a path, and the folders between."""
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
        """Yield the writable folders; read the trusted ones on demand."""
        yield root
        yield from map(str, self.trusted())


def parts_beside(root: str, real: str) -> list[str]:
    """Return the parts of a real path from where it leaves that of a project."""
    ours, parts = root.split(os.sep), real.split(os.sep)
    while ours and parts and ours[0] == parts[0]:
        del ours[0], parts[0]
    return parts


def split(path: str) -> tuple[str, str]:
    """Return the folder of a relative path (`.` for none) and the name in it."""
    folder, _, name = path.rpartition("/")
    return folder or ".", name
