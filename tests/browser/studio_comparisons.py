"""Request comparisons in the studio's page, and read their drawing."""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from studio_pages import set_value, until


def comparison_state(page: Any) -> dict[str, Any]:
    result: dict[str, Any] = page.evaluate("levelExporter.comparison()")
    return result


def compare_with_seed(page: Any, seed: int) -> None:
    if not comparison_state(page)["open"]:
        page.click("#open-compare")
    page.select_option("#compare-with", "seed")
    page.fill("#compare-value", str(seed))
    page.keyboard.press("Enter")
    until(page, "(seed) => levelExporter.comparison().level?.seed === seed", seed)


def shots(page: Any) -> list[NDArray[Any]]:
    """The level and everything over it, with cells of 12 pixels: the upper 360 rows."""
    page.mouse.move(2, 2)
    page.evaluate("levelExporter.view(0, 0, 12)")
    result = []
    for name in ("picture", "marks"):
        data = page.evaluate(
            "(name) => document.getElementById(name).toDataURL().split(',')[1]", name
        )
        result.append(np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA")))
    return [item[:360] for item in result]


def check_swiped(page: Any) -> None:
    """Check that left of the divider all is as in A alone, and right of it as in B alone."""
    set_value(page, "seed", 4)
    alone_a = shots(page)
    set_value(page, "seed", 3)
    alone_b = shots(page)
    assert any(not np.array_equal(a, b) for a, b in zip(alone_a, alone_b, strict=True))
    compare_with_seed(page, 4)
    page.click("#compare-marks")
    for steps in (0, 7, 11):
        for _ in range(steps):
            page.press("#divider", "ArrowLeft")
        both = shots(page)
        width = both[0].shape[1]
        position = comparison_state(page)["position"]
        # A step is 2 %; where a half pixel is rounded to is the page's matter.
        assert abs(position - (0.5 - {0: 0, 7: 0.14, 11: 0.36}[steps])) < 1e-9
        middle = round(width * position)
        for a, b, entry in zip(alone_a, alone_b, both, strict=True):
            assert np.array_equal(entry[:, : middle - 1], a[:, : middle - 1])
            assert np.array_equal(entry[:, middle + 1 :], b[:, middle + 1 :])
        assert not np.array_equal(both[0], alone_b[0])
        assert not np.array_equal(both[0], alone_a[0])
    page.press("#divider", "Home")
    for b, shot in zip(alone_b, shots(page), strict=True):
        assert np.array_equal(shot, b)
    page.press("#divider", "End")
    for a, item in zip(alone_a, shots(page), strict=True):
        assert np.array_equal(item, a)
