"""The studio's page in a browser: opening it, and asking it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from daemon_harness import wait_until
from studio_tabs import Studio


@contextmanager
def opened(browser: Any, studio: Studio, **options: Any) -> Iterator[Any]:
    """Open a studio in a context of its own; in the end nothing may have failed there."""
    options.setdefault("viewport", {"width": 1280, "height": 800})
    context = browser.new_context(**options)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console", lambda message: faults.append(message.text) if message.type == "error" else 0
    )
    try:
        page.goto(studio.url)
        page.evaluate("levelExporter.ready")
        # The controls come after the first picture.
        page.wait_for_selector("#right .row", state="attached")
        yield page
    finally:
        context.close()
    assert faults == []


def text_of(page: Any) -> str:
    return str(page.evaluate("levelExporter.text()"))


def until(page: Any, expression: str, arg: Any = None) -> None:
    """Wait for a condition; the page allows no texts as scripts, so it is asked from here."""
    function = expression if "=>" in expression else f"() => {expression}"
    wait_until(lambda: page.evaluate(function, arg))


def set_value(page: Any, path: str, value: Any) -> Any:
    # Playwright would wait for ever.
    changed = """([path, value]) => Promise.race([
      levelExporter.set(path, value),
      new Promise((_, fail) => setTimeout(() => fail(new Error("it is never shown")), 120000)),
    ])"""
    return page.evaluate(changed, [path, value])


def settle(page: Any) -> None:
    """Let what observes sizes, and the frames after it, come."""
    page.evaluate(
        "() => new Promise((done) => { let left = 4;"
        " const next = () => (left-- ? requestAnimationFrame(next) : done()); next(); })"
    )
