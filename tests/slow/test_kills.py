"""An export that is killed between any two calls to the system leaves whole files with an owner."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kills import check_killed_change, check_killed_first_export

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked here")


@pytest.mark.parametrize("cached", [True, False], ids=["with cache", "without cache"])
def test_kill_at_any_moment_leaves_the_old_file_or_the_new_one(
    tmp_path: Path, cached: bool
) -> None:
    assert check_killed_change(tmp_path, cached=cached, moments=20 if cached else 10) >= 10


def test_kill_in_the_first_export_leaves_nothing_without_an_owner(tmp_path: Path) -> None:
    assert check_killed_first_export(tmp_path, moments=8) >= 6
