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
    """The options of an export.

    Attributes:
        levels: Globs of the names of levels; empty for all.
        jobs: The number of processes to build in; None chooses.
        force: Whether to build all levels, not only stale ones.
        dry_run: Whether to write nothing, and only report what would be done.
        overwrite: Whether to overwrite files that a user modified, or that the exporter did not
            write.
        grace: Seconds after which the outputs of a missing spec are removed.
        patience: Seconds to wait for outputs that another program has open.
        max_seconds: Limit for the seconds of building a level; None for no limit.
        shard: The share of the levels, and of the chunks of worlds, to export; None for all. An
            export of a shard removes nothing.
        store: The path or URL of a store of results that machines share; None to use none.
        cluster: The address of a Dask scheduler whose workers build the levels; None for this
            machine.
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
        """Whether the options select only some of the project's levels."""
        return bool(self.levels) or self.shard is not None

    def selects(self, level: str, spec: str | None = None, *, is_world: bool = False) -> bool:
        """Return whether the options select a level.

        Args:
            level: The level's name.
            spec: The path of the level's spec, by which levels are divided into shards; None to
                ignore the shard.
            is_world: Whether the level is a world, of which every shard exports some chunks.
        """
        named = not self.levels or any(fnmatchcase(level, pattern) for pattern in self.levels)
        if self.shard is None or spec is None or is_world:
            return named
        return named and self.shard.has(spec)
