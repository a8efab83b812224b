"""`exporter preview --steps`: animate how a layer is generated."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import Any

from exporter.cli.arguments import UsageError, positive, styles_of
from exporter.cli.previewed import Subject, check_position

DEFAULT_STEPS = 200


def add_steps(parser: Any) -> None:
    """Add `--steps` and `--max-steps`, which draw how a layer is generated."""
    parser.add_argument(
        "--steps", action="store_true", help="draw how a layer is made, as an animated PNG"
    )
    parser.add_argument(
        "--max-steps",
        type=positive,
        metavar="N",
        help=f"with --steps: draw at most N pictures (default: {DEFAULT_STEPS})",
    )


def check_steps(options: argparse.Namespace) -> None:
    """Raise an error if options cannot be combined with `--steps`.

    Raises:
        UsageError: There is such an option, or `--max-steps` without `--steps`.
    """
    if not options.steps:
        if options.max_steps is not None:
            raise UsageError("--max-steps has no effect without --steps (add --steps)")
        return
    for given, name in (
        (options.text, "--text"),
        (options.terminal, "--terminal"),
        (options.at is not None, "--at"),
        (options.overlay is not None, "--overlay"),
    ):
        if given:
            raise UsageError(f"{name} cannot be used with --steps (leave one out)")
    several = len(options.spec) > 1  # the output is then a folder
    if (
        options.output is not None
        and not several
        and options.output.suffix.lower() not in (".png", ".apng")
    ):
        raise UsageError(
            f"--steps draws an animated PNG (write -o {options.output.with_suffix('.png')})"
        )


def draw_steps(subject: Subject, options: argparse.Namespace) -> tuple[str, bytes]:
    """Animate the steps in which a layer of `subject` is generated.

    Return the level's name, and the animated PNG.

    Raises:
        UsageError: No layer is named, though there are several, or the picture would be too large
            at that scale.
        SpecError: The layer cannot be generated.
    """
    from exporter.build.build import Build
    from exporter.build.costs import check_costs
    from exporter.build.inputs import Inputs
    from exporter.build.traces import trace_layer
    from exporter.console.styles import styled_problem
    from exporter.formats.images.steps import steps_picture
    from exporter.formats.preview import ScaleError
    from exporter.model.level import Level

    spec = subject.load()
    check_position(options, spec, subject)
    for warning in check_costs(spec, options.max_seconds):
        print(styled_problem(warning, styles_of(options).errors), file=sys.stderr)
    names = list(spec.layers)
    name = options.layer or (names[0] if len(names) == 1 else None)
    if name is None:
        raise UsageError(
            "--steps has no layer to draw (add --layer NAME; there are: "
            f"{', '.join(names) or 'none'})"
        )
    build = Build(spec, subject.root())
    try:
        steps = trace_layer(build, name, options.max_steps or DEFAULT_STEPS)
        tileset = Inputs(build.source).tileset()
    finally:
        subject.record_files(build)
    layer = replace(steps.layer, tiles=steps.tiles)
    level = Level(spec.level, layer.width, layer.height, layers={name: layer}, tileset=tileset)
    frames = [(frame.label, frame.cells) for frame in steps.frames]
    try:
        return spec.level, steps_picture(level, frames, options.scale)
    except ScaleError as error:
        raise UsageError(f"--scale: {error}") from None
