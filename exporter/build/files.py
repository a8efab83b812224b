"""Read the files that a spec names, and record their hashes.

Only regular files inside the project, or inside a game project, are read. Each file's size is
limited, and so is the total size of a level's files.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Callable
from pathlib import Path

from exporter.model.errors import ParameterError
from exporter.model.input_files import TooLargeError, read_input
from exporter.model.limits import MAXIMUM_ALL_INPUT_BYTES, MAXIMUM_INPUT_BYTES
from exporter.model.suggestions import did_you_mean, suggestions
from exporter.model.texts import NOT_TEXT

# Returns the content of a file with at most the given number of bytes, or raises OSError.
Reader = Callable[[Path, int], bytes]


class InputFiles:
    """Reads the files that one spec names, and records them as dependencies.

    Args:
        root: The folder that the files must lie in, such as the project's; None for a spec that is
            not a file.
        folder: The spec's folder, to which the names of the files are relative; None for a spec
            that is not a file.
        reader: Reads a file by its real path; another one than the default can read from a commit.

    Attributes:
        hashes: The SHA-256 of the files that were read, by path relative to the root. A missing
            file has an empty hash, so that the level becomes stale when the file appears.
    """

    def __init__(self, root: Path | None, folder: Path | None, reader: Reader = read_input) -> None:
        self._reader = reader
        self.root = root
        self.folder = folder
        self.hashes: dict[str, str] = {}
        self._sizes: dict[str, int] = {}

    def read(self, name: str, game: str | None = None) -> bytes:
        """Return the content of the file `name`, and record the dependency.

        Args:
            name: The path relative to the spec's folder, or to `game`.
            game: The folder of a game project, relative to `root`, that the file must lie in; None
                for the exporter's project.

        Raises:
            ParameterError: The file is missing, no regular file, too large or outside the project;
                or the level's files are too large together.
        """
        position, path = self._resolve(name, game)
        try:
            content = self._content(name, path)
        except ParameterError:
            self.hashes[position] = ""
            raise
        except OSError as error:
            self.hashes[position] = ""
            reason = (error.strerror or str(error)).lower()
            looked = isinstance(error, FileNotFoundError) and self._reader is read_input
            hint = _similar_name_hint(name, path) if looked else ""
            raise ParameterError(f"{name!r} cannot be read ({reason}{hint})") from None
        self.hashes[position] = hashlib.sha256(content).hexdigest()
        self._check_total_size(name, position, len(content))
        return content

    def check_exists(self, name: str) -> None:
        """Raise an error if the file `name` cannot be read.

        Then it is recorded as a dependency: the level becomes stale when the file appears or
        changes.

        Raises:
            ParameterError: The file is missing, no regular file, too large or outside the project.
        """
        _, path = self._resolve(name)
        if self._reader is not read_input:
            self.read(name)  # another reader, so do not look at the disk
            return
        try:
            there = path.is_file() and path.stat().st_size <= MAXIMUM_INPUT_BYTES
        except OSError:
            there = False
        if not there:
            self.read(name)  # says why it cannot be

    def digest(self, name: str, game: str | None = None) -> str:
        """Return the SHA-256 of the file `name`; "" if it cannot be read.

        No dependency is recorded. `name` is relative to the spec's folder, or to `game`, the folder
        of a game project.

        Raises:
            ParameterError: The file is too large or outside the project.
        """
        _, path = self._resolve(name, game)
        try:
            return hashlib.sha256(self._content(name, path)).hexdigest()
        except OSError:
            return ""

    def record_read(self, name: str, digest: str) -> None:
        """Record that the level depends on file `name` with the SHA-256 `digest`.

        This is for a file that other code has read. `name` is relative to the spec's folder.

        Raises:
            ParameterError: The file is outside the project.
        """
        position, _ = self._resolve(name)
        self.hashes[position] = digest

    def record_missing(self, path: str) -> None:
        """Record that the level depends on `path`, which is missing.

        `path` is relative to the folder that input files must lie in.
        """
        self.hashes[path] = ""

    def _resolve(self, name: str, game: str | None = None) -> tuple[str, Path]:
        """Return two paths of the file `name`: relative to the root, and real.

        The real path has its links resolved. If `game` is given, it is the folder of the game
        project that the file must lie in.

        Raises:
            ParameterError: The file is outside the project, or the spec has no folder.
        """
        if self.root is None or self.folder is None:
            raise ParameterError(
                f"{name!r} cannot be read: the spec has no folder (save the spec to a file first)"
            )
        root = self.root.resolve()
        if game is not None:
            # The game may lie beside the project, where the user trusts the project to write.
            home = (root / game).resolve()
            path = (home / name).resolve()
            if not path.is_relative_to(home):
                raise ParameterError(
                    f"{name!r} is outside the game project (copy it into the game)"
                )
            return Path(os.path.relpath(path, root)).as_posix(), path
        path = _path_on_disk(self.folder, name).resolve()
        if not path.is_relative_to(root):
            raise ParameterError(f"{name!r} is outside the project (copy it into the project)")
        position = path.relative_to(root).as_posix()
        if NOT_TEXT.search(position):
            raise ParameterError(
                f"{name!r} is a link to a file whose name is not UTF-8 (rename that file)"
            )
        return position, path

    def _content(self, name: str, path: Path) -> bytes:
        try:
            return self._reader(path, MAXIMUM_INPUT_BYTES)
        except TooLargeError:
            message = f"{name!r} is too large (allowed: {MAXIMUM_INPUT_BYTES} bytes)"
            raise ParameterError(message) from None

    def _check_total_size(self, name: str, position: str, size: int) -> None:
        """Raise an error if the level's files are too large together.

        `name` is the file that was read last, `position` its path relative to the root, `size` its
        bytes. A file that is read twice counts once.

        Raises:
            ParameterError: The files are too large.
        """
        self._sizes[position] = size
        total = sum(self._sizes.values())
        if total > MAXIMUM_ALL_INPUT_BYTES:
            raise ParameterError(
                f"the level's files are too large with {name!r}: {total} bytes "
                f"(allowed: {MAXIMUM_ALL_INPUT_BYTES}; use smaller files)"
            )


def _path_on_disk(folder: Path, name: str) -> Path:
    """Return the path of `name` in `folder`, with accents encoded as on disk.

    macOS, Windows and their programs write an accent as a separate character or as part of the
    letter; a Linux file system knows only one form.
    """
    path = folder / name
    if name.isascii():
        return path
    forms = (folder / unicodedata.normalize(form, name) for form in ("NFC", "NFD"))
    return next((item for item in (path, *forms) if os.path.lexists(item)), path)


def _similar_name_hint(name: str, path: Path) -> str:
    """Return a hint at a file whose name is similar to that of a missing one.

    Empty without such a file. `name` is the missing file's name in the spec.
    """
    folder, slash, _ = name.rpartition("/")
    try:
        beside = sorted(entry for entry in path.parent.iterdir() if entry.is_file())
    except OSError:
        return ""
    # Endings are usually equal, so names are compared without them.
    meant_stems = suggestions(path.stem, list({item.stem: None for item in beside}))
    meant = [f"{folder}{slash}{item.name}" for item in beside if item.stem in meant_stems][:3]
    return f"; {did_you_mean(meant)}" if meant else ""
