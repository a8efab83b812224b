"""Random edits, renames, deletions and vandalism; afterwards all is as if freshly exported."""

from __future__ import annotations

from pathlib import Path

from soak import soak


def test_after_many_random_edits_everything_is_as_freshly_exported(tmp_path: Path) -> None:
    soak(tmp_path, edits=120, seed=7)
