"""List the levels that a server shows, each with an id.

The levels are those of a project, or a single spec. Clients name levels by id, never by path.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from exporter.model.errors import Problem, SpecError
from exporter.model.input_files import read_input
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_SPEC_BYTES
from exporter.project.project import find_project
from exporter.reading.names import default_name, edits_file

# A value that changes with a file; None if it is missing.
Signature = tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class LevelFile:
    """A level spec that clients of a server can open.

    Attributes:
        id: The name used by clients: a hash of the path.
        path: The path of the spec.
        name: The displayed path, relative to the project.
        root: The folder in which files that the spec names must lie; None for the spec's own
            folder.
    """

    id: str
    path: Path
    name: str
    root: Path | None

    @property
    def edits(self) -> Path:
        """The path of the file with hand edits, which may be missing."""
        return self.path.parent / edits_file(self.path.name)

    def read(self) -> bytes:
        """Return the spec's text.

        Raises:
            SpecError: The spec cannot be read.
        """
        try:
            return read_input(self.path, MAXIMUM_SPEC_BYTES)
        except OSError as error:
            message = f"cannot be read ({error.strerror or error})"
            raise SpecError([Problem(message, self.name)]) from None

    def read_edits(self) -> bytes | None:
        """Return the text of the level's edits file; None without one.

        Raises:
            SpecError: The file cannot be read.
        """
        from exporter.reading.reader import read_edits

        return read_edits(self.path)


class LevelFiles:
    """The levels of a project, or a single spec.

    Args:
        project_or_spec: The folder of a project, or the path of a spec.

    Raises:
        SpecError: The folder is not a project, or exporter.yaml has errors.
    """

    def __init__(self, project_or_spec: Path) -> None:
        self._file = project_or_spec.resolve() if project_or_spec.is_file() else None
        self.root: Path | None
        if self._file is not None:
            try:
                self.root = find_project(self._file.parent)
            except SpecError:
                self.root = None
        else:
            self.root = find_project(project_or_spec)
        self._levels: dict[str, LevelFile] = {}
        self.look()

    @property
    def title(self) -> str:
        """The project's displayed name."""
        if self._file is not None:
            return default_name(self._file.name)
        return self.root.name if self.root is not None else ""

    @property
    def single(self) -> bool:
        """Whether this is a single spec instead of a project."""
        return self._file is not None

    @property
    def project_or_spec(self) -> Path:
        """The folder of the project, or the path of the single spec."""
        if self._file is not None:
            return self._file
        assert self.root is not None
        return self.root

    def look(self) -> bool:
        """Search for levels again; return whether the list has changed.

        Raises:
            SpecError: exporter.yaml has errors.
        """
        result = {item.id: item for item in self._find_levels()}
        changed = list(result) != list(self._levels)
        self._levels = result
        return changed

    def all(self) -> list[LevelFile]:
        """Return all levels in the order of their names."""
        return list(self._levels.values())

    def get(self, id: object) -> LevelFile | None:
        """Return the level with this `id`, or None."""
        return self._levels.get(id) if isinstance(id, str) else None

    def _find_levels(self) -> list[LevelFile]:
        if self._file is not None:
            return [_level_file(self._file, self._file.name, self.root)]
        from exporter.project.settings_file import load_project
        from exporter.project.spec_files import find_specs

        assert self.root is not None
        project = load_project(self.root)
        names = find_specs(self.root, project.patterns)
        return [_level_file(self.root / name, name, self.root) for name in names]


def signature(path: Path) -> Signature:
    """Return size, time and inode of the file `path`; None without a file.

    Compare two results to see whether the file has changed in between.
    """
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino


def _level_file(path: Path, name: str, root: Path | None) -> LevelFile:
    id = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return LevelFile(id, path, name, root)
