"""`exporter preview -o FILE.html`: write a level as a page to walk in."""

from __future__ import annotations

import argparse

from exporter.cli.arguments import UsageError
from exporter.cli.previewed import Previewed, writes_page


def check_page(options: argparse.Namespace) -> None:
    """Refuse what does not go together with a page."""
    if not writes_page(options) or options.text:
        return
    if len(options.spec) > 1:
        raise UsageError(
            f"{options.output}: an HTML page shows one level, and {len(options.spec)} are named"
        )
    for given, name in (
        (options.at is not None, "--at"),
        (options.view is not None, "--view"),
        (options.scale is not None, "--scale"),
    ):
        if given:
            raise UsageError(
                f"{name} applies only to pictures and text (in an HTML page one points and zooms)"
            )


def draw_page(displayed: Previewed, options: argparse.Namespace) -> bytes:
    """Return the page of a level, marked as ours.

    Raises:
        UsageError: The level is too large for a page.
    """
    from exporter.studio.level_html import level_html

    overlay = None if displayed.overlay is None else (options.overlay, displayed.overlay)
    try:
        return level_html(displayed.build, options.layer, overlay)
    except ValueError as error:
        raise UsageError(f"{displayed.subject.path} cannot be shown: {error}") from None
