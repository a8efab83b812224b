"""`exporter inspect`: report what a file contains, or map sizes."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import (
    Commands,
    UsageError,
    add_json,
    add_overwrite,
    positive,
    styles_of,
)
from exporter.model.errors import BlobError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.blob.inspection.divisors import MapDivisors
    from exporter.model.level import Level

LARGEST_SIDE = 2**31 - 1

_SIZE = re.compile(r"([0-9]+)(?:[xX]([0-9]+))?")


def add(commands: Commands) -> None:
    """Add `exporter inspect` to the commands of the command line."""
    parser = commands.add_parser(
        "inspect",
        examples=(
            "exporter inspect generated/levels/cavern.lvb",
            "exporter inspect cavern.lvp --extract 7 -o level.tmj",
        ),
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument(
        "--all", action="store_true", help="list every byte value with its probability"
    )
    parser.add_argument(
        "--divisors",
        action="append",
        default=[],
        metavar="MAP",
        help="list the chunk sizes that divide a map, given as N, WxH or a level spec; repeatable",
    )
    parser.add_argument(
        "--chunk",
        type=positive,
        metavar="N",
        help="with --divisors: check whether N divides the map",
    )
    parser.add_argument(
        "--extract", type=int, metavar="I", help="write one level of a pack, counted from 0, to -o"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the level as a .tmj map or a .lvb blob"
    )
    add_overwrite(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter inspect` with parsed options; return the exit code."""
    from exporter.console.inspections import report_inspections

    if not options.files and not options.divisors:
        raise UsageError("there is nothing to inspect (name a FILE, or write --divisors MAP)")
    if options.chunk is not None and not options.divisors:
        raise UsageError("--chunk has no effect without --divisors (add --divisors MAP)")
    for file in options.files:
        if not file.is_file():
            raise UsageError(f"there is no file {str(file)!r}")
    if (options.extract is None) != (options.output is None):
        raise UsageError("--extract and -o need each other (write --extract 0 -o level.tmj)")
    if options.extract is not None:
        if len(options.files) != 1 or options.divisors or options.all or options.json:
            raise UsageError(
                "--extract cannot be used with several files, --divisors, --all or --json "
                "(leave them out)"
            )
        return _extract(options.files[0], options.extract, options.output, options.overwrite)
    maps = [item for text in options.divisors for item in _maps(text, options.chunk)]
    styles = styles_of(options)
    return report_inspections(options.files, maps, options.json, options.all, styles)


def _maps(text: str, chunk: int | None) -> list[MapDivisors]:
    """Return the maps whose possible chunk sizes are to be listed.

    `text` is a size such as `64x48`, or a spec, which has a map for the level and for each layer of
    another size. `chunk` is a chunk size to try; None for none.

    Raises:
        UsageError: `text` is neither.
    """
    from exporter.blob.inspection.divisors import MapDivisors

    size = _SIZE.fullmatch(text)
    if size is not None:
        width, height = _side(size[1]), _side(size[2] or size[1])
        return [MapDivisors(f"{width} x {height}", width, height, chunk)]
    if not Path(text).is_file():
        raise UsageError(
            f"--divisors {text!r} is neither a size (N or WxH) nor the file of a level spec"
        )
    from exporter.reading.reader import load_level

    spec = load_level(text)
    return [
        MapDivisors(text, *spec.size, chunk),
        *(
            MapDivisors(f"{text}, layer {name}", *layer.options.size, chunk)
            for name, layer in spec.layers.items()
            if layer.options.size is not None
        ),
    ]


def _side(digits: str) -> int:
    number = int(digits) if len(digits) <= 10 else LARGEST_SIDE + 1
    if not 1 <= number <= LARGEST_SIDE:
        raise UsageError(
            f"{digits[:20]} is out of range for a side of a map (allowed: 1 to {LARGEST_SIDE})"
        )
    return number


def _extract(pack_file: Path, index: int, output: Path, overwrite: bool) -> int:
    """Write a level of a pack to the file `output`; return the exit code.

    `index` is the level's number, from 0. The suffix of `output` decides whether this is a blob or
    a map for Tiled.

    Raises:
        UsageError: There is no such level, or the file cannot be written or must not be replaced.
        BlobError: The pack is damaged.
    """
    from exporter.cli.output_files import check_can_be_written, refuse_existing, write_file
    from exporter.packs import open_pack

    if output.suffix not in (".tmj", ".lvb"):
        raise UsageError(f"{output}: the suffix is not known (write .tmj or .lvb)")
    check_can_be_written(output)
    try:
        with open_pack(pack_file) as pack:
            if not 0 <= index < len(pack):
                levels = f"levels 0 to {len(pack) - 1}" if len(pack) else "no levels"
                raise UsageError(f"--extract {index} is out of range (the pack has {levels})")
            if output.suffix == ".lvb":
                contents = {output: pack.blob(index)}
            else:
                contents = _map_files(pack[index], output)
    except BlobError as error:
        raise BlobError(f"{pack_file}: {error}") from None
    refuse_existing(contents, overwrite=overwrite)
    for path, data in contents.items():
        write_file(path, data)
        print(path)
    return ExitCode.DONE


def _map_files(level: Level, output: Path) -> dict[Path, bytes]:
    """Return the contents of a Tiled map of `level` and its tileset picture.

    They are by path, in the folder of `output`, which names the map.
    """
    from exporter.targets.single_maps import map_and_picture

    files = map_and_picture(replace(level, name=output.stem))
    return {output.parent / file.name: file.data for file in files}
