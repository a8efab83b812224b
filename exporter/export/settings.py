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
        force: Build everything.
        dry_run: Write nothing.
        overwrite: Write over files that somebody changed, and over files that are not ours.
        grace: Seconds for which a spec must be gone until its outputs are removed.
        patience: Seconds for which files are waited for that another program holds open.
        max_seconds: Seconds that building a level may take.
    """

    levels: tuple[str, ...] = ()
    jobs: int | None = None
    force: bool = False
    dry_run: bool = False
    overwrite: bool = False
    grace: float = 0.0
    patience: float = 10.0
    max_seconds: float = DEFAULT_MAX_SECONDS

    def selects(self, level: str) -> bool:
        """Whether a level of this name is asked for."""
        return not self.levels or any(fnmatchcase(level, pattern) for pattern in self.levels)
