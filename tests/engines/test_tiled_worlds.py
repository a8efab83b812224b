"""Worlds in Tiled: the maps of all parts side by side are the map of the whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_harness import Tiled
from engine_harness.levels import write_level
from worlds import TestWorld

OPTIONS: dict[str, dict[str, Any]] = {
    "json": {},
    "xml": {"languages": ("xml", "json")},
    "infinite": {"infinite": True},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_tiled_draws_a_world_as_the_whole_map(
    tiled: Tiled, tmp_path: Path, options: dict[str, Any]
) -> None:
    world = TestWorld()
    folder = world.write(tmp_path / "parts", "tiled", **options)
    whole = tmp_path / "whole"
    whole.mkdir()

    write_level("tiled", world.whole, whole, "out")
    expected = tiled.rasterize(whole / "w.tmj")
    # The chunks of infinite maps are filled up to 16 cells, with empty ones.
    drawn = tiled.rasterize(folder / "w.tiled.world")[: len(expected), : expected.shape[1]]
    assert np.array_equal(drawn, expected)
