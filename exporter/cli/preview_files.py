"""`exporter preview -o FILE.html` or `FILE.glb`: a web page or a 3D model."""

from __future__ import annotations

import argparse

from exporter.cli.arguments import UsageError
from exporter.cli.previewed import PreviewLevel, writes_model, writes_page


def check_file(options: argparse.Namespace) -> None:
    """Raise an error if options have no effect on what `-o` names.

    This looks only at web pages and 3D models.

    Raises:
        UsageError: There is such an option, or several specs are given.
    """
    names: tuple[str, ...]
    if writes_page(options) and not options.text:
        what, names = "an HTML page", ("at", "view", "scale")
        way_out = ", where you zoom and point with the mouse (leave it out)"
    elif writes_model(options):
        what, names = "a 3D model", ("text", "steps", "at", "view", "scale", "layer", "overlay")
        way_out = " (draw a picture instead: -o FILE.png)"
    else:
        return
    if len(options.spec) > 1:
        raise UsageError(
            f"{options.output}: {what} shows one level, but {len(options.spec)} specs are given "
            "(name one)"
        )
    for name in names:
        if getattr(options, name) not in (None, False):
            raise UsageError(f"--{name} has no effect on {what}{way_out}")


def draw_file(displayed: PreviewLevel, options: argparse.Namespace) -> bytes:
    """Return the level as an HTML page, or as a 3D model in glTF.

    The ending of the name in `-o` decides which.

    Raises:
        UsageError: The level cannot be shown like that, for example because it is too large.
    """
    try:
        if writes_model(options):
            from exporter.formats.gltf.model import level_model

            return level_model(displayed.level.exported())
        from exporter.studio.level_html import level_html

        overlay = None if displayed.overlay is None else (options.overlay, displayed.overlay)
        return level_html(displayed.build, options.layer, overlay)
    except ValueError as error:
        raise UsageError(f"{displayed.subject.path} cannot be shown: {error}") from None
