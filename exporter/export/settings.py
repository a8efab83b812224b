"""How to export."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

# Generous: levels that people make take seconds.
DEFAULT_MAX_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Settings:
    """How to export.

    Attributes:
        levels: Globs of level names; empty for all.
        jobs: Processes to build in; None chooses.
        force: Build everything, and overwrite files that are not ours.
        dry_run: Write nothing.
        max_seconds: Seconds that building a level may take.
    """

    levels: tuple[str, ...] = ()
    jobs: int | None = None
    force: bool = False
    dry_run: bool = False
    max_seconds: float = DEFAULT_MAX_SECONDS

    def selects(self, level: str) -> bool:
        """Whether a level of this name is asked for."""
        return not self.levels or any(fnmatchcase(level, pattern) for pattern in self.levels)
