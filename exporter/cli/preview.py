"""`exporter preview`: draw levels as pictures or text, or in the terminal."""

from __future__ import annotations

import argparse
import shutil
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import (
    Commands,
    UsageError,
    add_max_seconds,
    add_overwrite,
    completes,
    extent,
    point,
    positive,
    styles_of,
)
from exporter.cli.output_files import (
    check_folder,
    make_folder,
    refuse_existing,
    refuse_inputs,
    write_file,
)
from exporter.cli.preview_files import check_file, draw_file
from exporter.cli.preview_steps import add_steps, check_steps, draw_steps
from exporter.cli.previewed import (
    FRAMED,
    PreviewLevel,
    Subject,
    build_preview,
    subjects,
    writes_model,
    writes_page,
)
from exporter.model.errors import ParameterError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.console.problems import ProblemPrinter
    from exporter.model.level import Layer, Level

CellWindow = tuple[int, int, int, int]

# The endings of pictures, texts, pages and models.
_ENDINGS = (".png", ".txt", ".html", ".glb")


def add(commands: Commands) -> None:
    """Add `exporter preview` to the commands of the command line."""
    parser = commands.add_parser(
        "preview",
        examples=(
            "exporter preview levels/cavern.level.yaml --terminal",
            "exporter preview levels/cavern.level.yaml@7 --overlay regions -o cavern.png",
        ),
    )
    parser.add_argument(
        "spec",
        nargs="+",
        metavar="SPEC",
        help="a level spec; SPEC@SEED is the same with another seed",
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="default: <level>.png; of several specs the folder for them; with --text standard "
        "output, with --steps <level>.steps.png; FILE.html is a page to look and walk in a "
        "browser, FILE.glb a model in three dimensions",
    )
    way = output.add_mutually_exclusive_group()
    way.add_argument("--text", action="store_true", help="print letters and a legend")
    way.add_argument(
        "--terminal",
        action="store_true",
        help="show the picture in the terminal, in half blocks of colour; in a pipe as characters",
    )
    content = parser.add_argument_group("content")
    content.add_argument("--layer", metavar="NAME", help="draw only this layer, whatever its role")
    content.add_argument(
        "--at", type=point, metavar="X,Y", help="shade what cannot be seen from this cell"
    )
    content.add_argument(
        "--view", type=extent, metavar="WxH", help="draw only the game view centred on --at"
    )
    overlay = content.add_argument(
        "--overlay",
        metavar="NAME[:OBJECT]",
        help="mark cells that explain the level: regions, chokes, reach:chest, edits, ... (list "
        "them with `exporter plugins`)",
    )
    completes(overlay, "overlay")
    output.add_argument("--scale", type=positive, metavar="N", help="pixels per cell side")
    add_steps(content)
    output.add_argument(
        "--watch", action="store_true", help="draw again when a spec or a file it reads changes"
    )
    add_overwrite(output)
    add_max_seconds(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter preview` with parsed options; return the exit code."""
    named = subjects(options)
    _check_options(options)
    _check_ending(options, named)
    if len(named) > 1 and options.output is not None:
        if options.output.suffix.lower() in _ENDINGS and not options.output.is_dir():
            raise UsageError(f"{options.output} is one file for several specs (write -o FOLDER)")
        check_folder(options.output)
    draw = partial(_show, options=options, several=len(named) > 1, written={})
    if options.watch:
        from exporter.cli.preview_watch import watch

        return watch(named, draw, partial(_printer, options))
    return max(draw(subject) for subject in named)


def _check_options(options: argparse.Namespace) -> None:
    if options.scale is not None and (options.text or options.terminal):
        name = "--text" if options.text else "--terminal"
        raise UsageError(f"--scale has no effect with {name} (leave one out)")
    if options.text and options.overlay is not None:
        raise UsageError(
            "--overlay has no effect with --text (leave one out; `exporter edits show` lists edits)"
        )
    if options.terminal and options.output is not None:
        raise UsageError(
            "-o writes a picture, and --terminal draws on the screen (leave out one of them)"
        )
    check_steps(options)
    check_file(options)
    if options.view is not None and options.at is None:
        raise UsageError("--view has no centre (add --at X,Y)")
    if options.overlay is not None:
        from exporter.measures.names import named_overlay

        try:
            named_overlay(options.overlay)
        except ParameterError as error:
            raise UsageError(f"--overlay: {error.message}") from None


def _check_ending(options: argparse.Namespace, named: list[Subject]) -> None:
    """Raise an error if the ending of the file in `-o` is wrong.

    It must fit what is drawn: a picture, a text, a page or a model. `named` are the specs to draw.

    Raises:
        UsageError: The ending does not fit.
    """
    output: Path | None = options.output
    # For several specs, `-o` is a folder.
    if output is None or options.steps or len(named) > 1:
        return
    # A folder and the spec itself are refused later, with other messages.
    if output.is_dir() or (output.is_file() and output.samefile(named[0].path)):
        return
    ending = "txt" if options.text else "png"
    if (writes_page(options) or writes_model(options)) and not options.text:
        return
    if output.suffix.lower() != f".{ending}":
        what = "--text writes a text" if options.text else "preview writes a picture"
        more = (
            ""
            if options.text
            else "; .html makes a page, .glb a model; letters are written with --text -o FILE.txt"
        )
        raise UsageError(f"{output}: {what}, into a file whose name ends in .{ending}{more}")


def _in_folder(options: argparse.Namespace, name: str) -> Path:
    """Create the folder in `-o`; return the path of the picture `name` in it.

    Raises:
        UsageError: The folder cannot be made.
    """
    make_folder(options.output)
    folder: Path = options.output
    return folder / name


def _show(
    subject: Subject, options: argparse.Namespace, several: bool, written: dict[Path, str]
) -> int:
    """Draw one level, in the form that the options choose.

    Args:
        subject: The spec to draw.
        options: The options of the command.
        several: Whether several specs are to be drawn, so that `-o` is a folder.
        written: The arguments that name the specs drawn so far, by the path of their picture.

    Returns:
        The exit code.
    """
    if options.steps:
        name, data = draw_steps(subject, options)
        output = options.output or Path(f"{name}.steps.png")
        if several and options.output is not None:
            output = _in_folder(options, f"{name}.steps.png")
        _claim(output, subject, written)
        _write(output, data, subject, options)
        return ExitCode.DONE
    preview = build_preview(subject, options)
    level = preview.level
    view = None
    if options.view is not None:
        view = _camera(options.at, options.view, (level.width, level.height))
    if options.terminal:
        _show_in_terminal(preview, options, view)
        return preview.code
    if options.text and options.output is None:
        _write_text(_text(options, level, view))
        return preview.code
    if options.text:
        data = _text(options, level, view).encode()
    elif writes_page(options) or writes_model(options):
        data = draw_file(preview, options)
    else:
        data = _draw(options, preview, view)
    suffix = "txt" if options.text else "png"
    output = options.output or Path(f"{level.name}.png")
    if several and options.output is not None:
        output = _in_folder(options, f"{level.name}.{suffix}")
    _claim(output, subject, written)
    _write(output, data, subject, options)
    if preview.overlay is not None:
        _print_legend(preview, options, characters=False)
    return preview.code


def _claim(output: Path, subject: Subject, written: dict[Path, str]) -> None:
    """Raise an error if another spec was drawn to the path `output`.

    Else record it in `written`, the specs drawn so far by path.

    Raises:
        UsageError: Another spec of this run was drawn there.
    """
    if written.setdefault(output, subject.text) != subject.text:
        raise UsageError(
            f"{written[output]} and {subject.text} would both be drawn as {output} (draw them one "
            "after another, each with -o)"
        )


def _show_in_terminal(
    displayed: PreviewLevel, options: argparse.Namespace, view: CellWindow | None
) -> None:
    """Print a level in the terminal: in colour, or as characters.

    In colour, each character shows two pixels. `view` is the part of the level to show; None for
    all.
    """
    from exporter.measures.drawing import overlay_text

    colors = styles_of(options).output
    if colors:
        from exporter.formats.images.half_blocks import half_blocks, reduced

        if options.watch:
            _write_text("\x1b[H\x1b[2J")
        pixels, _ = _pixels(options, displayed, view, scale=1)
        _write_text(half_blocks(reduced(pixels, shutil.get_terminal_size().columns)))
    elif displayed.overlay is None:
        _write_text(_text(options, displayed.level, view))
    else:
        text = overlay_text(displayed.overlay, displayed.level.walkable())
        if view is not None:
            x, y, width, height = view
            lines = text.splitlines()[y : y + height]
            text = "".join(f"{line[x : x + width]}\n" for line in lines)
        _write_text(text)
    if displayed.overlay is not None:
        _print_legend(displayed, options, characters=not colors)


def _print_legend(
    displayed: PreviewLevel, options: argparse.Namespace, *, characters: bool
) -> None:
    from exporter.measures.drawing import legend

    assert displayed.overlay is not None
    for sign, text, color in legend(displayed.overlay):
        if characters:
            print(f"{sign}  {text}")
        elif styles_of(options).output and color is not None:
            print(f"\x1b[38;2;{color[0]};{color[1]};{color[2]}m██\x1b[0m  {text}")
        else:
            name = "" if color is None else "#{:02x}{:02x}{:02x}  ".format(*color)
            print(f"{name}{text}")


def _write_text(text: str) -> None:
    """Print `text`; characters that the encoding lacks become question marks."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))


def _printer(options: argparse.Namespace) -> ProblemPrinter:
    from exporter.console.problems import ProblemPrinter

    return ProblemPrinter(styles_of(options), sys.maxsize)


def _draw(options: argparse.Namespace, displayed: PreviewLevel, view: CellWindow | None) -> bytes:
    """Return the picture of a level as PNG.

    It has a mark by which the exporter knows its own pictures. `view` is the part of the level to
    draw; None for all.
    """
    from exporter.formats.images.png_mark import mark_png
    from exporter.formats.preview import picture_bytes

    return mark_png(picture_bytes(*_pixels(options, displayed, view, options.scale)))


def _pixels(
    options: argparse.Namespace, displayed: PreviewLevel, view: CellWindow | None, scale: int | None
) -> tuple[NDArray[np.uint8], int]:
    """Draw a level and its overlay; return the pixels and the scale.

    `view` is the part of the level to draw; None for all. `scale` is the side of a cell in pixels,
    both as argument and in the result; None chooses.

    Raises:
        UsageError: The level cannot be drawn like that.
    """
    from exporter.formats.preview import ScaleError, draw_frames, preview_pixels
    from exporter.measures.drawing import draw_overlay

    level = displayed.level
    if options.layer is not None:
        layer = level.layers[options.layer]
        if layer.kind == "tiles" and not layer.grid_aligned:
            raise UsageError(
                f"the layer {layer.name!r} differs in size from the level, so it cannot be drawn "
                "(name another layer)"
            )
        level = replace(level, layers={layer.name: layer})
    try:
        picture, scale = preview_pixels(level, scale=scale, at=options.at, view=view)
    except ScaleError as error:
        raise UsageError(f"--scale: {error}") from None
    except ValueError as error:
        raise UsageError(f"{displayed.subject.path} cannot be drawn: {error}") from None
    corner = (0, 0) if view is None else view[:2]
    name, _, argument = (options.overlay or "").partition(":")
    if name == FRAMED and not options.terminal:
        frames = displayed.build.edited_cells(argument or options.layer)
        draw_frames(picture, frames, scale, corner)
    elif displayed.overlay is not None:
        draw_overlay(picture, scale, displayed.overlay, corner)
    return picture, scale


def _text(options: argparse.Namespace, level: Level, view: CellWindow | None) -> str:
    from exporter.formats.text import preview_text

    return preview_text(level, _text_layer(level, options.layer), at=options.at, view=view)


def _write(output: Path, data: bytes, subject: Subject, options: argparse.Namespace) -> None:
    """Write the picture `data` to the file `output`, and print its path.

    An existing file is replaced only if the exporter drew it, or with `--overwrite`.

    Raises:
        UsageError: The file must not be replaced.
    """
    from exporter.formats.gltf.glb import is_own_glb
    from exporter.formats.images.html_mark import is_marked_html
    from exporter.formats.images.png_mark import is_marked_png

    is_ours = is_marked_html if writes_page(options) else is_marked_png
    is_ours = is_own_glb if writes_model(options) else is_ours
    refuse_inputs({output: data}, subject.inputs())
    refuse_existing({output: data}, overwrite=options.overwrite, is_ours=is_ours)
    write_file(output, data)
    print(output)


def _text_layer(level: Level, name: str | None) -> Layer:
    """Return the layer that `--text` draws.

    It is the layer `name`. If that is None, it is the layer that blocks sight, or else the last
    `play` layer, or else the last visible one.

    Raises:
        UsageError: There is no such layer of tiles.
    """
    drawable = {layer.name: layer for layer in level.tile_layers()}
    if not drawable:
        raise UsageError(
            f"--text draws only tile layers, and {level.name} has none (leave out --text)"
        )
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
    """Return the part of a map that a game's camera shows.

    Args:
        player: The cell (x, y) at the centre, where the player is.
        extent: Width and height of the view in cells.
        size: Width and height of the map in cells.

    Returns:
        x, y, width and height of the part, in cells.
    """
    from exporter.grids.views import game_view

    view = game_view(player, extent, size)
    return view.x, view.y, min(view.width, size[0]), min(view.height, size[1])
