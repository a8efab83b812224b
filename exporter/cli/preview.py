"""`exporter preview`: one level as a picture or as text."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import (
    Commands,
    UsageError,
    add_max_seconds,
    add_overwrite,
    extent,
    point,
    positive,
    styles_of,
)
from exporter.cli.output_files import refuse_existing, refuse_inputs, write_file
from exporter.model.errors import SpecError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.formats.preview import Frames
    from exporter.model.level import Layer, Level
    from exporter.pipeline.build import Build
    from exporter.reading.level_spec import LevelSpec

View = tuple[int, int, int, int]
OVERLAYS = ("edits",)
DEFAULT_STEPS = 200


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("preview", help="draw one level as a picture or as text")
    parser.add_argument("spec", type=Path, metavar="SPEC")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="default: <level>.png; with --text standard output, with --steps <level>.steps.png",
    )
    parser.add_argument("--text", action="store_true", help="print letters and a legend")
    parser.add_argument("--layer", metavar="NAME", help="draw only this layer, whatever its role")
    parser.add_argument(
        "--at", type=point, metavar="X,Y", help="shade what cannot be seen from this cell"
    )
    parser.add_argument(
        "--view", type=extent, metavar="WxH", help="draw only the game view centred on --at"
    )
    parser.add_argument(
        "--overlay",
        choices=OVERLAYS,
        metavar="WHAT",
        help="edits: frame the cells that were edited by hand, conflicts in red",
    )
    parser.add_argument("--scale", type=positive, metavar="N", help="pixels per cell side")
    parser.add_argument(
        "--steps",
        action="store_true",
        help="draw how a layer is made, step by step, as an animated PNG",
    )
    parser.add_argument(
        "--max-steps",
        type=positive,
        metavar="N",
        help=f"with --steps: most pictures (default: {DEFAULT_STEPS})",
    )
    add_overwrite(parser)
    add_max_seconds(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    from exporter.console.styles import styled_problem
    from exporter.pipeline.build import Build
    from exporter.pipeline.costs import check_costs
    from exporter.project.project import find_project
    from exporter.reading.reader import load_level

    if not options.spec.is_file():
        raise UsageError(f"there is no file {str(options.spec)!r}")
    if options.text and options.scale is not None:
        raise UsageError("--scale applies only to pictures (--text prints one letter per cell)")
    if options.text and options.overlay is not None:
        raise UsageError("--overlay applies only to pictures (`exporter edits show` lists edits)")
    _check_steps(options)
    spec = load_level(options.spec)
    _check_place(options, spec)
    styles = styles_of(options)
    for warning in check_costs(spec, options.max_seconds):
        print(styled_problem(warning, styles.errors), file=sys.stderr)
    try:
        root: Path | None = find_project(options.spec.parent)
    except SpecError:
        root = None
    build = Build(spec, root)
    if options.steps:
        with _scale_refused():
            data = _draw_steps(options, build)
        output = options.output or Path(f"{spec.level}.steps.png")
        _write(output, data, _inputs(build, options.spec), options)
        return ExitCode.DONE
    level, _ = build.level()
    for warning in build.shortfalls():
        print(styled_problem(warning, styles.errors), file=sys.stderr)
    view = _camera(options.at, options.view, spec.size) if options.view is not None else None
    if not options.text:
        frames = build.edited_cells(options.layer) if options.overlay == "edits" else {}
        with _scale_refused():
            data = _draw(options, level, view, frames)
        output = options.output or Path(f"{level.name}.png")
    else:
        text = _text(options, level, view)
        if options.output is None:
            sys.stdout.write(text)
            return ExitCode.DONE
        data, output = text.encode(), options.output
    _write(output, data, _inputs(build, options.spec), options)
    return ExitCode.DONE


@contextmanager
def _scale_refused() -> Iterator[None]:
    """Turn a scale that a picture cannot have into an error of the command line."""
    from exporter.formats.preview import ScaleError

    try:
        yield
    except ScaleError as error:
        raise UsageError(f"--scale: {error}") from None


def _check_steps(options: argparse.Namespace) -> None:
    """Refuse what does not go together with --steps."""
    if not options.steps:
        if options.max_steps is not None:
            raise UsageError("--max-steps applies only with --steps")
        return
    for given, name in (
        (options.text, "--text"),
        (options.at is not None, "--at"),
        (options.overlay is not None, "--overlay"),
    ):
        if given:
            raise UsageError(f"{name} cannot be used with --steps, which draws one layer as it is")
    if options.output is not None and options.output.suffix.lower() not in (".png", ".apng"):
        raise UsageError(
            f"--steps draws an animated PNG (write -o {options.output.with_suffix('.png')})"
        )


def _draw_steps(options: argparse.Namespace, build: Build) -> bytes:
    """Return the steps of a layer as an animated picture, marked as ours."""
    from exporter.formats.images.steps import steps_picture
    from exporter.model.level import Level
    from exporter.pipeline.inputs import Inputs
    from exporter.pipeline.traces import trace_layer

    names = list(build.spec.layers)
    name = options.layer or (names[0] if len(names) == 1 else None)
    if name is None:
        raise UsageError(f"--steps needs --layer NAME (there are: {', '.join(names) or 'none'})")
    steps = trace_layer(build, name, options.max_steps or DEFAULT_STEPS)
    layer = replace(steps.layer, tiles=steps.tiles)
    level = Level(
        build.spec.level,
        layer.width,
        layer.height,
        layers={name: layer},
        tileset=Inputs(build).tileset(),
    )
    frames = [(one.label, one.cells) for one in steps.frames]
    return steps_picture(level, frames, options.scale)


def _check_place(options: argparse.Namespace, spec: LevelSpec) -> None:
    """Refuse places and layers that the level does not have, before it is built."""
    if options.view is not None and options.at is None:
        raise UsageError("--view needs --at for the centre of the view")
    if options.at is not None and spec.visibility is None:
        raise UsageError(f"{options.spec} has no visibility for --at to show")
    x, y = options.at or (0, 0)
    if not (0 <= x < spec.size[0] and 0 <= y < spec.size[1]):
        raise UsageError(f"--at {x},{y} is outside the level of {spec.size[0]}x{spec.size[1]}")
    if options.layer is not None and options.layer not in spec.layers:
        from exporter.model.suggestions import unknown_name

        raise UsageError(unknown_name("layer", options.layer, list(spec.layers)))


def _draw(options: argparse.Namespace, level: Level, view: View | None, frames: Frames) -> bytes:
    """Return the picture, marked as ours."""
    from exporter.formats.images.png_mark import mark_png
    from exporter.formats.preview import preview_picture

    if options.layer is not None:
        layer = level.layers[options.layer]
        if layer.kind == "tiles" and not layer.grid_aligned:
            raise UsageError(
                f"the layer {layer.name!r} has another size than the level and is not drawn"
            )
        level = replace(level, layers={layer.name: layer})
    return mark_png(
        preview_picture(level, scale=options.scale, at=options.at, view=view, frames=frames)
    )


def _text(options: argparse.Namespace, level: Level, view: View | None) -> str:
    """Return the drawing in letters."""
    from exporter.formats.text import preview_text

    return preview_text(level, _text_layer(level, options.layer), at=options.at, view=view)


def _inputs(build: Build, spec: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files that a build has read, each with why it cannot be written over."""
    yield spec, "is the spec itself (name another file with -o)"
    for name in build.files.hashes:
        if build.files.root is not None:
            yield build.files.root / name, f"is a file that {spec} reads (name another with -o)"


def _write(
    output: Path, data: bytes, inputs: Iterator[tuple[Path, str]], options: argparse.Namespace
) -> None:
    """Write what was drawn, over nothing but an earlier picture of ours, and print its name."""
    from exporter.formats.images.png_mark import is_marked_png

    refuse_inputs({output: data}, inputs)
    refuse_existing({output: data}, overwrite=options.overwrite, is_ours=is_marked_png)
    write_file(output, data)
    print(output)


def _text_layer(level: Level, name: str | None) -> Layer:
    """Return the layer to draw: the one that is named, that of the visibility, or the last.

    The last is one that is played on, if there is any, or else one that is seen.
    """
    drawable = {layer.name: layer for layer in level.tile_layers()}
    if not drawable:
        raise UsageError(f"{level.name} has no tile layer for --text to draw")
    if name is not None and name not in drawable:
        raise UsageError(
            f"--text cannot draw {name!r}: it is not a tile layer of the level's size "
            f"(there are: {', '.join(drawable)})"
        )
    if name is None and level.visibility_layer in drawable:
        name = level.visibility_layer
    if name is not None:
        return drawable[name]
    return (level.play_layers() or level.seen_layers() or level.tile_layers())[-1]


def _camera(
    player: tuple[int, int], extent: tuple[int, int], size: tuple[int, int]
) -> tuple[int, int, int, int]:
    """Return what the game's camera shows of a map: x, y, width and height in cells."""
    from exporter.grids.views import game_view

    view = game_view(player, extent, size)
    return view.x, view.y, min(view.width, size[0]), min(view.height, size[1])
