"""The generator: its cells, reproducibility, and refusals."""

from pathlib import Path

import numpy as np
import pytest

import exporter


def cells(folder: Path, parameters: str = "", seed: int = 1) -> np.ndarray:
    """Return the cells of a level of 30 x 20 cells."""
    spec = folder / "hall.level.yaml"
    spec.write_text(
        f"size: [30, 20]\nseed: {seed}\n"
        f"layers: {{ground: {{generator: my_extension{parameters}}}}}\n"
    )
    return exporter.build_level(exporter.load_level(spec)).layers["ground"].cells


def test_pillars_stand_in_rows(tmp_path: Path) -> None:
    """Every third row and column has one, if none is fallen."""
    result = cells(tmp_path, ", every: 3, fallen_percent: 0")
    assert result.shape == (20, 30)
    assert np.argwhere(result).tolist() == [
        [y, x] for y in range(1, 20, 3) for x in range(1, 30, 3)
    ]


def test_the_same_spec_gives_the_same_cells(tmp_path: Path) -> None:
    """Another seed gives others."""
    assert np.array_equal(cells(tmp_path), cells(tmp_path))
    assert not np.array_equal(cells(tmp_path), cells(tmp_path, seed=2))


def test_a_wrong_parameter_is_reported_with_its_line(tmp_path: Path) -> None:
    """The range of the parameter comes from its annotation."""
    with pytest.raises(exporter.SpecError) as reported:
        cells(tmp_path, ", every: 1")
    assert reported.value.line == 3
    assert "every" in str(reported.value)
