"""What tests of several rooms need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import interpreted_kernels


@pytest.fixture(autouse=True, scope="session")
def user_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep what belongs to the user of the tests out of it; child processes take it over."""
    folder = tmp_path_factory.mktemp("user")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEVEL_EXPORTER_HOME", str(folder))
        yield folder


@pytest.fixture(scope="session")
def interpreted() -> Callable[[str], ModuleType]:
    """Load a kernel as ordinary Python."""
    return interpreted_kernels.interpreted
