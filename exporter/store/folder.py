"""Read and write the files of a project safely.

All writing goes through this module. A project may come from a stranger, with links anywhere. So
the links of a path are resolved first; the result must be inside the project's folder, or inside an
outside folder that the user trusts. Then each folder on the path is opened in turn, refusing links,
and all work is relative to the open folder: if a folder is swapped for a link meanwhile, the
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

# No file of the exporter is larger.
MAXIMUM_BYTES = 1 << 30
_HANDLES = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_PLAIN = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_DIRECTORY", 0)


class Directory:
    """An open folder; its methods take names of direct children.

    Every method raises OSError if the system refuses or the child is missing.

    Attributes:
        path: The folder's path with links resolved, for messages and systems without handles.
    """

    def __init__(self, path: str, handle: int | None) -> None:
        self.path = path
        self._handle = handle

    def __enter__(self) -> Directory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the folder's handle; do nothing if it has none."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def status(self, name: str) -> os.stat_result:
        """Return the status of child `name`; a link is not followed."""
        return os.stat(self._at(name), dir_fd=self._handle, follow_symlinks=False)

    def read(self, name: str, most: int = MAXIMUM_BYTES) -> tuple[bytes, os.stat_result]:
        """Return the content and the status of the regular file `name`.

        Links, and files with more than `most` bytes, are errors (OSError).
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
        """Write `data` to a new file with a random name; return that name.

        Args:
            name: The file that the caller will replace by the new one, which gets its permissions.
            data: The content.
            durable: Whether to wait until the file is on the disk.
            mode: The permissions if no file `name` exists.
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
        """Replace the file `name` atomically; leave nothing behind on failure.

        If `durable` is true, wait until the file is on the disk. A new file gets the permissions
        `mode`.
        """
        temporary = self.create(name, data, durable=durable, mode=mode)
        try:
            self.replace(temporary, name)
        except BaseException:
            with contextlib.suppress(OSError):
                self.unlink(temporary)
            raise

    def append(self, name: str, *, readable: bool = False) -> int:
        """Open the file `name` for appending; return the file descriptor.

        A missing file is created. If `readable` is true, the descriptor can also be read.
        """
        access = os.O_RDWR if readable else os.O_WRONLY
        return self._open(name, access | os.O_CREAT | os.O_APPEND)

    def sync(self, name: str) -> None:
        """Wait until the content of file `name` is on the disk."""
        descriptor = self._open(name, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def replace(self, old: str, new: str) -> None:
        """Rename the file `old` to `new`, replacing any file of that name.

        Retries for a short time while another program holds a file open.
        """
        self.move(old, self, new)

    def move(self, old: str, other: Directory, new: str) -> None:
        """Move the file `old` into the folder `other`, under the name `new`."""
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
        """Give the file `old` the free name `new`, too, by a hard link.

        Where hard links are impossible, the file is renamed. If `new` exists, OSError is raised.
        """
        names = self._at(old), self._at(new)
        try:
            os.link(*names, src_dir_fd=self._handle, dst_dir_fd=self._handle)
        except FileExistsError:
            raise
        except (OSError, NotImplementedError):
            self.replace(old, new)

    def unlink(self, name: str) -> None:
        """Remove the file or link `name`; the target of a link stays."""
        insist(partial(os.unlink, self._at(name), dir_fd=self._handle))

    def rmdir(self, name: str) -> None:
        """Remove the empty folder `name`."""
        os.rmdir(self._at(name), dir_fd=self._handle)

    def set_time(self, name: str, nanoseconds: int | None = None) -> None:
        """Set the modification time of the file `name`; None means now."""
        now = time.time_ns() if nanoseconds is None else nanoseconds
        follow = os.utime not in os.supports_follow_symlinks
        os.utime(self._at(name), ns=(now, now), dir_fd=self._handle, follow_symlinks=follow)

    def names(self) -> list[str]:
        """Return the names of all direct children."""
        return os.listdir(self.path if self._handle is None else self._handle)

    def enter(self, name: str, *, make: bool) -> Directory:
        """Open the child folder `name`; if `make` is true, create a missing one.

        A link is an error (OSError).
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
        """Open the file `name`; refuse links, and never wait for a pipe."""
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
    """Reads and writes files below one folder, by relative paths with `/`.

    Only this folder and the trusted ones are writable. Methods that open something raise
    OutsideError for a path that leads elsewhere or has a reserved name. All raise OSError if the
    system refuses.

    Args:
        root: The folder.
        trusted: Returns further folders (resolved paths) that links may lead to.
        closed: Whether to refuse names that outputs must not have, such as `.git` or Windows
            devices.
        follow: Whether to follow links to folders below `root` or below trusted ones.
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
        """Raise OutsideError if the folder `path` leads to no writable folder."""
        self._resolve(path)

    @contextlib.contextmanager
    def open(self, path: str, *, make: bool = False) -> Iterator[Directory]:
        """Open the folder `path` for a `with` block; `.` is the root itself.

        If `make` is true, missing folders are created, including a trusted one, but never the root.
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
        """Return the content and the status of the regular file `path`.

        A file with more than `most` bytes is an error (OSError).
        """
        folder, name = split(path)
        with self.open(folder) as directory:
            return directory.read(name, most)

    def status(self, path: str) -> os.stat_result:
        """Return the status of the file `path`; a link is not followed."""
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
        """Write `data` to the file `path` atomically.

        Args:
            path: The relative path of the file.
            data: The content.
            durable: Whether to wait until the file is on the disk.
            make: Whether to create missing folders.
            mode: The permissions if the file does not exist.
        """
        folder, name = split(path)
        with self.open(folder, make=make) as directory:
            directory.write(name, data, durable=durable, mode=mode)

    def remove(self, path: str) -> None:
        """Remove the file `path`."""
        folder, name = split(path)
        with self.open(folder) as directory:
            directory.unlink(name)

    def remove_empty(self, path: str) -> None:
        """Remove the folder `path` if it is empty, then likewise its parents."""
        while path not in ("", ".") and ".." not in path.split("/")[-1:]:
            folder, name = split(path)
            try:
                with self.open(folder) as directory:
                    directory.rmdir(name)
            except (OSError, OutsideError):
                return
            path = folder

    def _resolve(self, path: str) -> tuple[str, list[str]]:
        """Return the writable folder that contains `path`, and the names below it.

        The names are the rest of `path` after links are resolved.
        """
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
        """Yield the folders that are writable: the root, then the trusted ones."""
        yield root
        yield from map(str, self.trusted())


def parts_beside(root: str, real: str) -> list[str]:
    """Return the names in path `real` after its common start with `root`."""
    ours, parts = root.split(os.sep), real.split(os.sep)
    while ours and parts and ours[0] == parts[0]:
        del ours[0], parts[0]
    return parts


def split(path: str) -> tuple[str, str]:
    """Split `path` into its folder (`.` if it has none) and its last name."""
    folder, _, name = path.rpartition("/")
    return folder or ".", name
