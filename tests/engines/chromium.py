"""A real Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
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
]


def chromium_path() -> str | None:
    """Where the system's Chromium is; None if it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


WITHOUT_WEBGL = ["--disable-gpu", "--disable-3d-apis"]


@contextmanager
def running_chromium(*more: str) -> Iterator[Any]:
    """Run a browser; what is yielded is Playwright's.

    Args:
        more: Further arguments for it.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=[*OPTIONS, *more]
        )
        try:
            yield browser
        finally:
            browser.close()
