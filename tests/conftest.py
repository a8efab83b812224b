"""What tests of several rooms need."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

import interpreted_kernels


@pytest.fixture(scope="session")
def interpreted() -> Callable[[str], ModuleType]:
    """Load a kernel as ordinary Python."""
    return interpreted_kernels.interpreted
