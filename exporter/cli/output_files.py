"""Keep the option `-o` from overwriting a command's inputs or other files.

Outputs of a project are not written here; the store knows which files the exporter may replace.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from exporter.cli.arguments import UsageError

# Returns whether a file with the given content was written by this command, and not changed.
IsOurs = Callable[[bytes], bool]


def refuse_inputs(files: Mapping[Path, bytes], inputs: Iterable[tuple[Path, str]]) -> None:
    """Raise an error if a command would overwrite a file that it reads.

    A link to such a file counts, too.

    Args:
        files: The contents to write, by path; unchanged files are skipped.
        inputs: The files that are read, each with the text that follows the name in the message.

    Raises:
        UsageError: An input file would be overwritten.
    """
    known = [(path, refusal) for path, refusal in inputs if os.path.isfile(path)]
    for path, data in files.items():
        for source, refusal in known:
            there = os.path.isfile(path) and os.path.samefile(path, source)
            if there and _content(path) != data:
                raise UsageError(f"{path} {refusal}")


def refuse_existing(
    files: Mapping[Path, bytes], *, overwrite: bool, is_ours: IsOurs = lambda _: False
) -> None:
    """Raise an error if files exist that the exporter did not write.

    Args:
        files: The contents to write, by path; unchanged files are skipped.
        overwrite: Whether such files may be overwritten.
        is_ours: Returns whether the exporter wrote a file, from its content.

    Raises:
        UsageError: There is such a file, or something that cannot be replaced.
    """
    for path, data in files.items():
        if not os.path.exists(path):
            continue
        if not os.path.isfile(path):
            raise UsageError(f"{path} is not a regular file (name another file)")
        content = _content(path)
        ours = content is not None and (content == data or is_ours(content))
        if not ours and not overwrite:
            raise UsageError(f"{path} exists already (name another file, or use --overwrite)")


def check_can_be_written(path: Path) -> None:
    """Raise an error if the file at `path` cannot be written.

    Called before long work.

    Raises:
        UsageError: The folder is missing or read-only, or a link is broken.
    """
    if os.path.islink(path) and not os.path.exists(path):
        raise UsageError(f"{path} is a broken link (remove it, or name another file)")
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise UsageError(f"{path}: there is no folder {str(path.parent)!r} (make it first)")
    _check_writable(folder)


def check_folder(path: Path) -> None:
    """Raise an error if files cannot be written to the folder `path`.

    The folder may be missing, if it can be created.

    Raises:
        UsageError: Files cannot be written to the folder.
    """
    if os.path.islink(path) and not os.path.exists(path):
        raise UsageError(f"{path} is a broken link (remove it, or name another folder)")
    if os.path.exists(path) and not path.is_dir():
        raise UsageError(f"{path} is not a folder (name another one)")
    there = Path(os.path.abspath(path))
    while not there.is_dir():
        if os.path.lexists(there):
            raise UsageError(f"{path}: {there} is not a folder")
        there = there.parent
    _check_writable(there)


def make_folder(path: Path) -> None:
    """Create the folder `path` and its parents if they are missing.

    Raises:
        UsageError: The folder cannot be created.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None


def _check_writable(folder: Path) -> None:
    import tempfile  # imported here to keep `--help` quick

    # Permissions are not enough: the file system may be read-only, or the folder the system's.
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        message = f"nothing can be written into {str(folder)!r}: {error.strerror or error}"
        raise UsageError(message) from None


def write_file(path: Path, data: bytes) -> None:
    """Write `data` to the file `path`, unless it has this content already.

    If `path` is a link, the file that it leads to is written.

    Raises:
        StoreError: The file cannot be written.
    """
    from exporter.store.atomic_files import replace_file

    if _content(path) != data:
        # A link stays a link: the file that it leads to is replaced.
        replace_file(Path(os.path.realpath(path)), data)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
