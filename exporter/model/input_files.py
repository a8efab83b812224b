"""Read untrusted files: only regular ones, up to a size limit.

A file name in a spec may lead to a FIFO, which blocks when opened, to an endless device, or to a
file that grows while it is read. So the kind of file is checked on the open descriptor, where the
file cannot be exchanged, and reading stops at the size limit.
"""

from __future__ import annotations

import errno
import os
import stat

# `O_NONBLOCK` keeps a FIFO from waiting, `O_NOCTTY` a terminal from becoming ours.
_FLAGS = os.O_RDONLY
for _name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):
    _FLAGS |= getattr(os, _name, 0)

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class NotRegularError(OSError):
    """A path leads to something that is not a regular file."""

    def __init__(self, path: str, kind: str) -> None:
        super().__init__(errno.EINVAL, f"it is {kind}", path)


class TooLargeError(OSError):
    """A file is larger than the caller's size limit."""

    def __init__(self, path: str, size: int, maximum: int) -> None:
        super().__init__(errno.EFBIG, f"it has {size} bytes; allowed: {maximum}", path)


def read_input(path: str | os.PathLike[str], maximum: int) -> bytes:
    """Return the content of the regular file `path`; links are followed.

    Raises:
        NotRegularError: The path is not a regular file; the call does not block.
        TooLargeError: The file has more than `maximum` bytes.
        OSError: The file cannot be read.
    """
    position = os.fspath(path)
    try:
        descriptor = os.open(position, _FLAGS)
    except OSError as error:
        # Sockets, and folders on Windows, cannot be opened at all: name their kind.
        raise _better(error, position) from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotRegularError(position, _kind(status.st_mode))
        if status.st_size > maximum:
            raise TooLargeError(position, status.st_size, maximum)
        return _content(descriptor, status.st_size, position, maximum)
    finally:
        os.close(descriptor)


def _content(descriptor: int, size: int, position: str, maximum: int) -> bytes:
    """Read an open file to its end, even if it is no longer of `size` bytes.

    `position` is its path for messages; more than `maximum` bytes are an error.
    """
    content = bytearray()
    while len(content) <= maximum:
        expected = max(size - len(content), 0) + 4096
        part = os.read(descriptor, min(expected, maximum + 1 - len(content)))
        if not part:
            return bytes(content)
        content += part
    raise TooLargeError(position, len(content), maximum)


def _kind(mode: int) -> str:
    return next((name for test, name in _KINDS if test(mode)), "no file")


def _better(error: OSError, position: str) -> OSError:
    try:
        mode = os.stat(position).st_mode
    except OSError:
        return error
    return error if stat.S_ISREG(mode) else NotRegularError(position, _kind(mode))
