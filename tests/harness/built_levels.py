"""Finished builds, to look at with overlays."""

from __future__ import annotations

from exporter.build.build import Build
from exporter.reading.reader import parse_level


def built(text: str) -> Build:
    """A build of a spec's text whose level is there."""
    build = Build(parse_level(text.encode(), "hall.level.yaml"))
    build.level()
    return build
