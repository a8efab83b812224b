"""Fixtures of Chromium: one for each process of the tests, with a context for each test.

A test here that needs it is skipped, with the reason, where Chromium is not installed
(`.ci/install-engines` installs it). With the environment variable LEVEL_EXPORTER_REQUIRE_ENGINES=1,
as in CI, any skip in this folder is a failure.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from chromium import WITHOUT_WEBGL, Browsers, chromium_path
from required_engines import INSTALLS, refuse_skip
from studio_fixtures import project, serve, shared_studio, studio
from studio_pages import close_waiting, opened
from studio_tabs import Studio

__all__ = ["project", "serve", "shared_studio", "studio"]

HERE = Path(__file__).parent
BROWSERS = Browsers()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure where engines are required, and leave no page of a failure."""
    report = yield
    refuse_skip(report)
    if report.failed:
        close_waiting()
    return report


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browsers after the last test of this folder.

    Playwright keeps an event loop running in this thread, where other tests run theirs.
    """
    if nextitem is None or not nextitem.path.is_relative_to(HERE):
        close_waiting()
        BROWSERS.close()


@pytest.fixture
def browser() -> Any:
    """A real Chromium."""
    return running()


@pytest.fixture
def browser_without_webgl() -> Any:
    """A real Chromium that has no WebGL 2."""
    return running(*WITHOUT_WEBGL)


def running(*options: str) -> Any:
    """Return a browser, or skip the test that asks for it."""
    if chromium_path() is None:
        pytest.skip(f"Chromium is not installed; {INSTALLS}")
    return BROWSERS.get(*options)


@pytest.fixture
def page(request: pytest.FixtureRequest, browser: Any, studio: Studio) -> Iterator[Any]:
    """The studio's page in Chromium, with its first level open.

    `PAGE_OPTIONS` of a test's module are options of the context.
    """
    with opened(browser, studio, **getattr(request.module, "PAGE_OPTIONS", {})) as page:
        yield page
