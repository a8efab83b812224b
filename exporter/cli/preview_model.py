"""`exporter preview -o FILE.glb`: write a level as a 3D model."""

from __future__ import annotations

import argparse

from exporter.cli.arguments import UsageError
from exporter.cli.previewed import PreviewLevel, writes_model


def check_model(options: argparse.Namespace) -> None:
    """Refuse options that have no effect on a 3D model."""
    if not writes_model(options):
        return
    if len(options.spec) > 1:
        raise UsageError(
            f"{options.output}: a 3D model shows one level, but {len(options.spec)} specs are "
            "given (name one)"
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
            raise UsageError(
                f"{name} has no effect on a 3D model (draw a picture instead: -o FILE.png)"
            )


def draw_model(displayed: PreviewLevel) -> bytes:
    """Return the 3D model of a level as glTF bytes.

    Raises:
        UsageError: The level is too large for a model.
    """
    from exporter.formats.gltf.model import level_model

    try:
        return level_model(displayed.level.exported())
    except ValueError as error:
        raise UsageError(f"{displayed.subject.path} cannot be shown: {error}") from None
