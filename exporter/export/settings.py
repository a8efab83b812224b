"""How to export."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Settings:
    """How to export.

    Attributes:
        levels: Globs of level names; empty for all.
        jobs: Processes to build in; None chooses.
        force: Build everything, and overwrite files that are not ours.
        dry_run: Write nothing.
    """

    levels: tuple[str, ...] = ()
    jobs: int | None = None
    force: bool = False
    dry_run: bool = False

    def selects(self, level: str) -> bool:
        """Whether a level of this name is asked for."""
        return not self.levels or any(fnmatchcase(level, pattern) for pattern in self.levels)
