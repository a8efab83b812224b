"""Compare two levels, and return their differences as values.

`levels` compares two levels part by part. `cells`, `objects`, `sight` and `lists` compare one kind
of thing each, `differences` has the values they return, and `picture` draws them. The levels may
come from specs, seeds, blobs or commits.
"""

from __future__ import annotations

from exporter.explore.comparison.differences import LevelDifference
from exporter.explore.comparison.levels import compare_levels

__all__ = ["LevelDifference", "compare_levels"]
