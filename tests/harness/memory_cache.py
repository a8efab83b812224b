"""A cache of stages that is kept in memory."""

from __future__ import annotations

from exporter.build.build import Build


class MemoryCache(dict[str, bytes]):
    """Keeps the results of stages by their keys."""

    def load(self, key: str) -> bytes | None:
        return self.get(key)

    def save(self, key: str, data: bytes) -> None:
        self[key] = data

    def keep(self, build: Build) -> None:
        """Keep the new results of a build."""
        self.update(build.stages.unsaved)
