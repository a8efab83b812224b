"""Compiled loops: Cython sources that also run as plain Python."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Longer waits are announced.
PATIENCE_SECONDS = 2
REINSTALL = "reinstall with a C compiler"


class UncompiledWarning(UserWarning):
    """A kernel (compiled loop) runs interpreted, which will take long."""


def warn_uncompiled(
    compiled: bool, kernel: str, steps: int, steps_in_a_second: int, way_out: str = REINSTALL
) -> None:
    """Warn if an interpreted kernel will take more than about two seconds.

    Args:
        compiled: Whether the kernel is compiled; then nothing happens.
        kernel: The kernel's name, for the warning.
        steps: The number of steps that the kernel has to run.
        steps_in_a_second: How many steps it runs in a second when interpreted, roughly.
        way_out: The suggested fix, which ends the warning.
    """
    if not compiled and steps > PATIENCE_SECONDS * steps_in_a_second:
        warnings.warn(
            f"the kernel {kernel!r} is not compiled here and needs about "
            f"{steps // steps_in_a_second} seconds ({way_out})",
            UncompiledWarning,
            stacklevel=3,
        )


def view(array: NDArray[Any]) -> memoryview:
    """Return `array` as a memoryview, as kernels take arrays.

    The elements of a memoryview are Python's own numbers: with these, an interpreted kernel
    computes two to three times as fast as with numpy's, and integers cannot overflow.
    """
    return array.data
