"""Define the options of an export."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from exporter.model.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from exporter.export.shards import Shard

# Generous: typical levels take seconds.
DEFAULT_MAX_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Settings:
    """Options of an export.

    Attributes:
        levels: Globs of level names; empty for all.
        jobs: Processes to build in; None chooses.
        force: Build everything.
        dry_run: Write nothing.
        overwrite: Overwrite user-modified and untracked files.
        grace: Seconds after which the outputs of a missing spec are removed.
        patience: Seconds to wait for files that another program holds open.
        max_seconds: Limit for the seconds of building a level; None for no limit.
        shard: The share of the levels, and of the parts of worlds, to export; None for all. A shard
            removes nothing.
        store: The path or URL of a store that is shared with others; see `exporter.export`.
        cluster: The address of the scheduler whose workers build the levels.
    """

    levels: tuple[str, ...] = ()
    jobs: int | None = None
    force: bool = False
    dry_run: bool = False
    overwrite: bool = False
    grace: float = 0.0
    patience: float = 10.0
    max_seconds: float | None = DEFAULT_MAX_SECONDS
    shard: Shard | None = None
    store: str | None = None
    cluster: str | None = None

    @property
    def partial(self) -> bool:
        """Whether only some levels are exported."""
        return bool(self.levels) or self.shard is not None

    def selects(self, level: str, spec: str | None = None, *, is_world: bool = False) -> bool:
        """Return whether a level is selected.

        Args:
            level: The level's name.
            spec: The path of the level's spec; None if only names select levels.
            is_world: Whether the level is a world, of which every shard makes some parts.
        """
        named = not self.levels or any(fnmatchcase(level, pattern) for pattern in self.levels)
        if self.shard is None or spec is None or is_world:
            return named
        return named and self.shard.has(spec)
