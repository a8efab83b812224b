"""Compare two levels, and return their differences as values.

`levels` takes two levels apart, `cells`, `objects`, `sight` and `lists` compare one kind of thing
each, `differences` has the values they return, and `picture` draws them. Where the levels are from
(two specs, two seeds, blobs, a commit) is not known here.
"""

from __future__ import annotations

from exporter.explore.comparison.differences import LevelDifference
from exporter.explore.comparison.levels import compare_levels

__all__ = ["LevelDifference", "compare_levels"]
