"""What tests of several rooms need."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import interpreted_kernels

HERE = Path(__file__).resolve().parent
# Each worker collects all tests and starts engines of its own.
WORKERS_AT_MOST = 4
# Folders with files that take long.
LONG = ("engines", "faults", "fuzz", "kernels", "watch")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Spread the whole suite over the processors, and run what was picked from it in one process.

    A few tests are over before workers have started, and debuggers and prints need one process.
    """
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # the plugin reads it
    places = [(config.invocation_params.dir / argument).resolve() for argument in config.args]
    whole = all(place in (HERE, HERE.parent) for place in places)
    picked = any(config.getoption(name, False) for name in ("keyword", "lf", "stepwise"))
    printed = config.getoption("capture", None) == "no"
    return workers() if whole and not picked and not printed else 0


def workers() -> int:
    """Return one worker for each processor that this process may use, up to a limit."""
    if hasattr(os, "sched_getaffinity"):
        processors = len(os.sched_getaffinity(0))
    else:
        processors = os.cpu_count() or 1
    return min(processors, WORKERS_AT_MOST)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let workers begin with what takes long, so that none has it still to do in the end."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path.relative_to(HERE).parts[0] not in LONG)


@pytest.fixture(autouse=True, scope="session")
def user_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep what belongs to the user of the tests out of it; child processes take it over."""
    folder = tmp_path_factory.mktemp("user")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEVEL_EXPORTER_HOME", str(folder))
        yield folder


@pytest.fixture(autouse=True, scope="session")
def interruptible() -> None:
    """Let child processes be interrupted even if a shell started the tests in the background.

    Such a shell has SIGINT ignored, and children of children take that over.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def interpreted() -> Callable[[str], ModuleType]:
    """Load a kernel as ordinary Python."""
    return interpreted_kernels.interpreted
