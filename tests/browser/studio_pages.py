"""The studio's page in a browser: opening it, and asking it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from studio_tabs import Studio


def _slowness() -> float:
    """Return how many times slower this machine is now than an idle one of two cores."""
    begun = time.perf_counter()
    sum(number * number for number in range(300_000))
    return max(1.0, (time.perf_counter() - begun) / 0.03)


# Seconds that a page may take for anything: a test that hangs is not to cost minutes.
DEADLINE = 60.0 * _slowness()
VIEWPORT = {"width": 1280, "height": 800}
# A level of rooms, for a page to show.
HALL = """\
size: [40, 30]
seed: 3
layers:
  base: {generator: rooms_and_corridors}
objects:
  - {name: stairs_up}
  - {name: chest, count: 3, spacing: 4, clear_radius: 1}
visibility: {radius: 7, algorithm: symmetric}
"""


@dataclass
class OpenPage:
    """A page of Playwright in a separate context, and the failures there."""

    page: Any
    faults: list[str]


# Pages that wait for the next test, by their browser and the options of their context. Opening the
# studio again in such a page takes half of the time: its process has compiled the scripts.
_waiting: dict[tuple[Any, str], OpenPage] = {}


@contextmanager
def opened(browser: Any, studio: Studio, **options: Any) -> Iterator[Any]:
    """Open a studio in a clean page, with its first level; nothing may fail there.

    A test that changes a page for good, such as its clock, closes it.

    Args:
        browser: The browser.
        studio: The studio.
        options: Of the page's context, as Playwright has them.
    """
    viewport = options.pop("viewport", VIEWPORT)
    key = browser, repr(sorted(options.items()))
    result = _waiting.pop(key, None) or _new_page(browser, viewport, options)
    page = result.page
    try:
        page.set_viewport_size(viewport)
        result.faults.clear()
        page.goto(first_level(studio))
        page.evaluate("levelExporter.ready")
        # The controls come after the first picture.
        page.wait_for_selector("#right .row", state="attached")
        yield page
        assert result.faults == []
    except BaseException:
        page.context.close()
        raise
    if key in _waiting or page.is_closed() or not _leave(page, studio, options):
        page.context.close()
    else:
        _waiting[key] = result


def first_level(studio: Studio) -> str:
    """Return the address that opens a studio with its first level, not with its start page."""
    level = min(studio.files.all(), key=lambda item: item.name)
    return f"{studio.url}&level={level.id}"


def close_waiting() -> None:
    """Close all waiting pages: the test before has failed, and left its page dirty."""
    for item in _waiting.values():
        item.page.context.close()
    _waiting.clear()


def _new_page(browser: Any, viewport: dict[str, int], options: dict[str, Any]) -> OpenPage:
    page = browser.new_context(viewport=viewport, **options).new_page()
    page.context.set_default_timeout(DEADLINE * 1000)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))

    def note(message: Any) -> None:
        # A file that is no page names no icon, and the browser looks for one.
        if message.type == "error" and not message.location["url"].endswith("/favicon.ico"):
            faults.append(message.text)

    page.on("console", note)
    return OpenPage(page, faults)


def _leave(page: Any, studio: Studio, options: dict[str, Any]) -> bool:
    """End a test's actions in a page; return whether another test can have the page."""
    from playwright.sync_api import Error

    try:
        for other in page.context.pages:
            if other != page:
                other.close()
        # A file of the same origin, which has the stores of the test.
        page.goto(f"{studio.origin}/icon.svg")
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        page.emulate_media(reduced_motion=options.get("reduced_motion", "null"))
        page.mouse.up()
        page.mouse.move(0, 0)
    except Error:
        return False
    return True


def text_of(page: Any) -> str:
    return str(page.evaluate("levelExporter.text()"))


def until(page: Any, expression: str, arg: Any = None) -> None:
    """Wait in the page for an expression, or for a function of `arg`.

    Playwright's own wait makes a script of a text, which the page does not allow.
    """
    waits = """async ([arg]) => {
      const end = performance.now() + SECONDS * 1000;
      for (;;) {
        const found = (EXPRESSION);
        if (await (typeof found === "function" ? found(arg) : found)) return true;
        if (performance.now() > end) return false;
        await new Promise((done) => setTimeout(done, 20));
      }
    }"""
    waits = waits.replace("SECONDS", str(DEADLINE)).replace("EXPRESSION", expression)
    assert page.evaluate(waits, [arg]), f"not in {DEADLINE:g} seconds: {expression}"


def select(page: Any, path: str) -> None:
    """Select a thing by its path, such as `layers.ground`."""
    page.evaluate("path => levelExporter.select(path)", path)


def set_value(page: Any, path: str, value: Any) -> Any:
    # Playwright would wait for ever.
    changed = """([path, value, seconds]) => Promise.race([
      levelExporter.set(path, value),
      new Promise((_, fail) => setTimeout(fail, 1000 * seconds, new Error("it is never shown"))),
    ])"""
    return page.evaluate(changed, [path, value, DEADLINE])


def settle(page: Any) -> None:
    """Wait for size observers, and for the frames after them."""
    page.evaluate(
        "() => new Promise((done) => { let left = 4;"
        " const next = () => (left-- ? requestAnimationFrame(next) : done()); next(); })"
    )
