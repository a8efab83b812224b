"""Fixtures and hooks for tests of several packages."""

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
MAX_WORKERS = 4
# The folders of every tier but the quick one, and the marker of their tests.
TIERS = {"engines": "engine", "browser": "browser", "service": "service", "slow": "slow"}


def pytest_configure(config: pytest.Config) -> None:
    """Run the quick tier if the command line names no file, folder or marker.

    Worker processes receive the narrowed arguments from here.
    """
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.markexpr:
        config.args = [
            str(path)
            for path in sorted(HERE.iterdir())
            if path.name not in TIERS and (path.name.startswith("test_") or path.is_dir())
        ]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test with its tier."""
    tier = TIERS.get(item.path.relative_to(HERE).parts[0])
    if tier:
        item.add_marker(tier)


def pytest_sessionstart() -> None:
    """Let Hypothesis take its time: how long an example takes says how busy a machine is.

    Before tests are collected, as each takes the settings that hold when its file is read.
    """
    import hypothesis

    patient = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile("patient", deadline=None, suppress_health_check=patient)
    hypothesis.settings.load_profile("patient")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Use all processors for whole folders, and one process for files and picked tests.

    A few tests are over before workers have started, and debuggers and prints need one process.
    """
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # the plugin reads it
    folders = all((config.invocation_params.dir / path).is_dir() for path in config.args)
    picked = any(config.getoption(name, False) for name in ("keyword", "lf", "stepwise"))
    printed = config.getoption("capture", None) == "no"
    return available_workers() if folders and not picked and not printed else 0


def available_workers() -> int:
    """Return one worker for each processor that this process may use, up to a limit."""
    if hasattr(os, "sched_getaffinity"):
        processors = len(os.sched_getaffinity(0))
    else:
        processors = os.cpu_count() or 1
    return min(processors, MAX_WORKERS)


@pytest.fixture(autouse=True, scope="session")
def user_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the user's data out of the tests; child processes inherit this."""
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
