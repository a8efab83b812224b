"""The few compiled loops: Cython pure-Python sources that also run interpreted."""

from __future__ import annotations

import warnings


class UncompiledWarning(UserWarning):
    """A loop that is meant to be compiled runs interpreted, and that will take long."""


def warn_uncompiled(compiled: bool, kernel: str, steps: int, steps_in_a_second: int) -> None:
    """Warn when an interpreted kernel has work for more than about three seconds.

    Args:
        compiled: The kernel's `cython.compiled`; nothing happens if it is true.
        kernel: The kernel's name.
        steps: How much it has to do.
        steps_in_a_second: How much it does interpreted, roughly.
    """
    if not compiled and steps > 3 * steps_in_a_second:
        warnings.warn(
            f"the kernel {kernel!r} is not compiled here and needs about "
            f"{steps // steps_in_a_second} seconds (reinstall with a C compiler)",
            UncompiledWarning,
            stacklevel=3,
        )
