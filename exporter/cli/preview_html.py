"""`exporter preview -o FILE.html`: write a level as a web page."""

from __future__ import annotations

import argparse

from exporter.cli.arguments import UsageError
from exporter.cli.previewed import PreviewLevel, writes_page


def check_page(options: argparse.Namespace) -> None:
    """Refuse options that have no effect on a web page."""
    if not writes_page(options) or options.text:
        return
    if len(options.spec) > 1:
        raise UsageError(
            f"{options.output}: an HTML page shows one level, but {len(options.spec)} specs are "
            "given (name one)"
        )
    for given, name in (
        (options.at is not None, "--at"),
        (options.view is not None, "--view"),
        (options.scale is not None, "--scale"),
    ):
        if given:
            raise UsageError(
                f"{name} has no effect on an HTML page, where you zoom and point with the mouse "
                "(leave it out)"
            )


def draw_page(displayed: PreviewLevel, options: argparse.Namespace) -> bytes:
    """Return the HTML page of a level.

    Raises:
        UsageError: The level is too large for a page.
    """
    from exporter.studio.level_html import level_html

    overlay = None if displayed.overlay is None else (options.overlay, displayed.overlay)
    try:
        return level_html(displayed.build, options.layer, overlay)
    except ValueError as error:
        raise UsageError(f"{displayed.subject.path} cannot be shown: {error}") from None
