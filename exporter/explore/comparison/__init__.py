"""Compare two levels, and return their differences as values.

`levels` compares two levels, with the help of `cells`, `objects` and `lists`; `outputs` compares
exported files. `differences` defines the returned values, `documents` encodes them as JSON data,
and `picture` draws them. The levels may come from specs, seeds, blobs or commits.
"""

from __future__ import annotations

from exporter.explore.comparison.differences import LevelDifference
from exporter.explore.comparison.levels import compare_levels

__all__ = ["LevelDifference", "compare_levels"]
