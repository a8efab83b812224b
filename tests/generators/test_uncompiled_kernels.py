"""A missing compiler makes things slow, never different, and long waits are announced."""

from __future__ import annotations

import warnings

import pytest

from exporter.kernels import UncompiledWarning, warn_uncompiled


def test_a_long_wait_for_an_uncompiled_kernel_is_announced() -> None:
    with pytest.warns(UncompiledWarning, match=r"'maze' .* about 5 seconds"):
        warn_uncompiled(False, "maze", 5000, 1000)


@pytest.mark.parametrize(("compiled", "steps"), [(True, 10**12), (False, 2000)])
def test_short_waits_and_compiled_kernels_are_not_announced(compiled: bool, steps: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_uncompiled(compiled, "maze", steps, 1000)
