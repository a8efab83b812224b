"""A real Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

OPTIONS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # WebGL 2 without a graphics card.
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    # The page's other parts need no such slow graphics.
    "--disable-gpu-compositing",
]
WITHOUT_WEBGL = ["--disable-gpu", "--disable-3d-apis"]


def chromium_path() -> str | None:
    """Where the system's Chromium is; None if it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browsers:
    """Browsers that run until they are closed, one for each set of further arguments."""

    def __init__(self) -> None:
        self._running = ExitStack()
        self._browsers: dict[tuple[str, ...], Any] = {}
        self._playwright: Any = None

    def get(self, *more: str) -> Any:
        """Return a browser of Playwright, which is started the first time.

        Args:
            more: Further arguments for it.
        """
        if self._playwright is None:
            from playwright.sync_api import sync_playwright

            self._playwright = self._running.enter_context(sync_playwright())
        if more not in self._browsers:
            browser = self._playwright.chromium.launch(
                executable_path=chromium_path(), args=[*OPTIONS, *more]
            )
            self._running.callback(browser.close)
            self._browsers[more] = browser
        return self._browsers[more]

    def close(self) -> None:
        """Close all browsers, and end Playwright's event loop, which forbids others."""
        self._browsers.clear()
        self._playwright = None
        self._running.close()


@contextmanager
def running_chromium(*more: str) -> Iterator[Any]:
    """Run a browser of Playwright.

    Args:
        more: Further arguments for it.
    """
    with closing(Browsers()) as browsers:
        yield browsers.get(*more)
