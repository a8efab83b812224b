"""Write the files of `exporter seeds`: contact sheets, heat maps, specs.

A contact sheet has small pictures of the found levels; a heat map shows how often metrics have
which values. Failures to write are found before the search, which may take hours.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import UsageError
from exporter.cli.output_files import (
    check_can_be_written,
    check_folder,
    make_folder,
    refuse_existing,
    refuse_inputs,
    write_file,
)
from exporter.model.errors import ParameterError

if TYPE_CHECKING:
    from exporter.explore.search import LevelMatch, Search, SearchedLevels
    from exporter.model.level import Level
    from exporter.reading.level_spec import LevelSpec


def check_output(options: argparse.Namespace, path: Path) -> None:
    """Raise an error if a picture or pack cannot be written to `path`.

    Called before the search, which may take long.

    Raises:
        UsageError: The file cannot be written, or must not be replaced (without `--overwrite`).
    """
    from exporter.explore.sheets import is_our_sheet

    specs = [item for item in (options.spec, options.compare) if item is not None]
    refuse_inputs({path: b""}, [(spec, "is a spec itself (name another file)") for spec in specs])
    refuse_existing({path: b""}, overwrite=options.overwrite, is_ours=is_our_sheet)
    check_can_be_written(path)


def check_heat(options: argparse.Namespace) -> None:
    """Raise an error if the heat map in `--heat` cannot be written.

    Called before the search, which may take long.

    Raises:
        UsageError: The file cannot be written, or its name does not end in `.png`.
    """
    if options.heat.suffix.lower() != ".png":
        raise UsageError(
            f"--heat {options.heat} does not end in .png (write --heat {options.heat.stem}.png)"
        )
    check_output(options, options.heat)


def check_sheet(options: argparse.Namespace, search: Search) -> None:
    """Raise an error if the contact sheet in `-o` cannot be written.

    Called before the search, which may take long.

    Raises:
        UsageError: The sheet cannot be written, or would have too many levels.
    """
    from exporter.explore.sheets import MAXIMUM_LEVELS

    check_output(options, options.output)
    if options.output.suffix.lower() not in (".png", ".html"):
        raise UsageError(
            f"{options.output} does not end in .png or .html (write -o {options.output.stem}.png)"
        )
    if search.count > MAXIMUM_LEVELS:
        raise UsageError(
            f"a sheet cannot show that many levels (write --count {MAXIMUM_LEVELS} or less)"
        )


def write_sheet(options: argparse.Namespace, search: Search, result: SearchedLevels) -> None:
    """Write a contact sheet: small pictures of the levels in `result`.

    `search` is the search that found them. The sheet is a picture or an HTML page, as the ending of
    the name in `-o` says.

    Raises:
        StoreError: The sheet cannot be written.
    """
    from exporter.build.build import Build
    from exporter.explore.sheets import displayed_levels, sheet_html, sheet_png

    def build(item: LevelMatch) -> Level:
        level, _ = Build(search.spec_of(item), search.root).level()
        return level

    displayed = displayed_levels(result.levels, build)
    if options.output.suffix.lower() == ".png":
        data = sheet_png(displayed)
    else:
        title = f"{search.spec.level}: {len(displayed)} of {result.tried:,} levels"
        data = sheet_html(title, displayed)
    write_output(options, options.output, data)


def write_output(options: argparse.Namespace, path: Path, data: bytes) -> None:
    """Write `data`, a picture or pack, to `path`, and print the path.

    Raises:
        StoreError: The file cannot be written.
        UsageError: Another program wrote the file meanwhile.
    """
    check_output(options, path)
    write_file(path, data)
    if not options.json:
        print(path)


def check_specs(options: argparse.Namespace, search: Search, content: bytes) -> None:
    """Raise an error if `--write` cannot write specs of found levels.

    Called before the search, which may take long. `content` is the text of the searched spec, which
    the written specs copy.

    Raises:
        UsageError: The specs cannot be written.
        SpecError: The names of the levels would be too long.
    """
    from exporter.explore.writing import check_rewritable, names_files

    spec = search.spec
    named = names_files(spec, search.varied)
    here = options.spec.resolve().parent
    if named and options.write.resolve() != here:
        raise UsageError(
            f"the spec names {named!r}, a file in its own folder (write the copies there: --write "
            f"{options.spec.parent})"
        )
    check_folder(options.write)
    try:
        check_rewritable(spec, content, search.varied)
    except ParameterError as error:
        raise UsageError(f"{options.spec}: {error.message}") from None


def write_specs(
    options: argparse.Namespace, spec: LevelSpec, content: bytes, result: SearchedLevels
) -> None:
    """Write a spec for each found level; keep files that exist.

    The names have the seeds; a name that another level has gets a number, too.

    Args:
        options: The options of the command, with the folder to write to.
        spec: The spec that was searched.
        content: The text of that spec.
        result: The found levels.

    Raises:
        StoreError: A spec cannot be written.
    """
    make_folder(options.write)
    from exporter.reading.reader import read_edits

    # The levels were searched with the hand edits of the spec, so the copies have them, too.
    edits = read_edits(options.spec)
    for item in result:
        files, used = _free_names(options.write, spec, content, item, edits)
        for path, data in files.items():
            write_file(path, data)
        written = next(iter(reversed(files)))
        if used is not None:
            print(f"{used} is another level; this one is {written}", file=sys.stderr)
        if not options.json:
            for path in files:
                print(path)


def _free_names(
    folder: Path, spec: LevelSpec, content: bytes, result: LevelMatch, edits: bytes | None
) -> tuple[dict[Path, bytes], Path | None]:
    """Return the files of a found level, under the first name that is free.

    A name is also free if its files exist with the same content. `content` is the text of the
    searched `spec`; `edits` is its file of hand edits, None without one.

    Returns:
        The content of each file by path, the spec last; and the path of the spec under the first
        name, None if that was free.
    """
    from exporter.explore.writing import spec_name, spec_text
    from exporter.reading.names import edits_file

    number, used = 1, None
    while True:
        name = spec_name(spec, result, number)
        path, beside = folder / name, folder / edits_file(name)
        data = spec_text(spec, content, result, number)
        if _is_free(path, data) and _is_free(beside, edits):
            return ({} if edits is None else {beside: edits}) | {path: data}, used
        used = used or path
        number += 1


def _is_free(path: Path, content: bytes | None) -> bool:
    """Return whether the file `path` may be written as `content`.

    It may if it is missing, or has this content already.
    """
    return not os.path.lexists(path) or (path.is_file() and path.read_bytes() == content)
