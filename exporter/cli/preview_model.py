"""`exporter preview -o FILE.glb`: a level as a model in three dimensions."""

from __future__ import annotations

import argparse

from exporter.cli.arguments import UsageError
from exporter.cli.previewed import Previewed, writes_model


def check_model(options: argparse.Namespace) -> None:
    """Refuse what does not go together with a model."""
    if not writes_model(options):
        return
    if len(options.spec) > 1:
        raise UsageError(
            f"{options.output}: a model shows one level, and {len(options.spec)} are named"
        )
    for given, name in (
        (options.text, "--text"),
        (options.steps, "--steps"),
        (options.at is not None, "--at"),
        (options.view is not None, "--view"),
        (options.scale is not None, "--scale"),
        (options.layer is not None, "--layer"),
        (options.overlay is not None, "--overlay"),
    ):
        if given:
            raise UsageError(f"{name} does not apply to a model (name a picture: -o FILE.png)")


def draw_model(displayed: Previewed) -> bytes:
    """Return the model of a level.

    Raises:
        UsageError: The level is too large for a model.
    """
    from exporter.formats.gltf.model import level_model

    try:
        return level_model(displayed.level.exported())
    except ValueError as error:
        raise UsageError(f"{displayed.subject.path} cannot be shown: {error}") from None
