"""`exporter preview`: one level as a picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from exporter.cli.arguments import Commands, UsageError, extent, point, positive
from exporter.model.errors import SpecError
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("preview", help="draw one level as a picture")
    parser.add_argument("spec", type=Path, metavar="SPEC")
    parser.add_argument("-o", "--output", type=Path, metavar="PNG", help="default: <level>.png")
    parser.add_argument(
        "--at", type=point, metavar="X,Y", help="shade what cannot be seen from this cell"
    )
    parser.add_argument(
        "--view", type=extent, metavar="WxH", help="draw only the game view centred on --at"
    )
    parser.add_argument("--scale", type=positive, metavar="N", help="pixels of a cell's side")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    from exporter.formats.preview import preview_picture
    from exporter.pipeline.build import build_level
    from exporter.project.project import find_project
    from exporter.reading.reader import load_level
    from exporter.store.atomic_files import replace_file

    if not options.spec.is_file():
        raise UsageError(f"there is no file {str(options.spec)!r}")
    if options.view is not None and options.at is None:
        raise UsageError("--view needs --at, the centre of the view")
    spec = load_level(options.spec)
    if options.at is not None and spec.visibility is None:
        raise UsageError(f"{options.spec} has no visibility, which --at shows")
    x, y = options.at or (0, 0)
    if not (0 <= x < spec.size[0] and 0 <= y < spec.size[1]):
        raise UsageError(f"--at {x},{y} lies outside the level of {spec.size[0]}x{spec.size[1]}")
    try:
        root: Path | None = find_project(options.spec.parent)
    except SpecError:
        root = None
    level = build_level(spec, root)
    view = _camera(options.at, options.view, spec.size) if options.view is not None else None
    picture = preview_picture(level, scale=options.scale, at=options.at, view=view)
    output = options.output or Path(f"{level.name}.png")
    replace_file(output, picture)
    print(output)
    return ExitCode.DONE


def _camera(
    player: tuple[int, int], extent: tuple[int, int], size: tuple[int, int]
) -> tuple[int, int, int, int]:
    """Return what the game's camera shows of a map: x, y, width and height in cells."""
    from exporter.grids.views import game_view

    view = game_view(player, extent, size)
    return view.x, view.y, min(view.width, size[0]), min(view.height, size[1])
