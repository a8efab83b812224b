"""Read the two levels that `exporter diff` compares.

A level is given as a spec, perhaps with a seed or from a commit, or as a blob.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import UsageError, styles_of
from exporter.cli.level_argument import root_of, split_argument, with_requested_seed
from exporter.model.errors import BlobError, ExporterError
from exporter.model.input_files import read_input
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import (
    MAXIMUM_CELLS,
    MAXIMUM_EDITS_BYTES,
    MAXIMUM_SIDE,
    MAXIMUM_SPEC_BYTES,
)

if TYPE_CHECKING:
    from exporter.build.build import Build
    from exporter.explore.comparison.outputs import OutputDifference
    from exporter.model.level import Level
    from exporter.project.revisions import Revision
    from exporter.reading.level_spec import LevelSpec

BLOB_SUFFIX = ".lvb"
# The same limit as for `inspect`.
_MAXIMUM_BLOB_BYTES = 1 << 30

Reader = Callable[[Path, int], bytes]


@dataclass(slots=True, eq=False)
class ComparedSide:
    """One of the two levels to compare: its spec is read and checked.

    Attributes:
        label: The label for users: `crypt.level.yaml@7`, `HEAD:./crypt.level.yaml`.
        path: The file of the spec or blob.
        spec: The checked spec; None for a blob.
        blob: The level of a blob; None for a spec.
        revision: The commit from which the file is read; None for the working folder.
        build: The build of the spec; None before it is built, and for a blob.
        inputs: The files that were read, each with a text why output must not overwrite the file.
    """

    label: str
    path: Path
    spec: LevelSpec | None = None
    blob: Level | None = None
    revision: Revision | None = None
    build: Build | None = None
    inputs: list[tuple[Path, str]] = field(default_factory=list)

    @property
    def reader(self) -> Reader:
        """The function that reads input files: from the commit if there is one."""
        return read_input if self.revision is None else self.revision.read


def open_side(text: str, revision: Revision | None = None) -> ComparedSide:
    """Read and check the level that `text` names: a spec or a blob.

    `text` is `SPEC`, `SPEC@SEED`, `BLOB` or `BLOB@INDEX`. `revision` is the commit from which to
    read the file; None for the working folder.

    Raises:
        UsageError: The file is missing, or the text after its `@` names no level.
        SpecError: The spec has faults.
        BlobError: The blob is damaged.
    """
    from exporter.blob.container import SIGNATURE

    path, expected = split_argument(text)
    label = text if revision is None else f"{_in_revision(path, revision)}{_behind(expected)}"
    side = ComparedSide(label, path, revision=revision)
    side.inputs.append((path, "is compared (name another file with -o)"))
    content = _content(side)
    if path.suffix.lower() == BLOB_SUFFIX or content.startswith(SIGNATURE):
        side.blob = _read_blob(content, expected, text)
    else:
        spec = _read_spec(side, content)
        side.spec = with_requested_seed(spec, expected, text)
    return side


def check_sides(sides: list[ComparedSide], options: argparse.Namespace) -> None:
    """Raise an error if a level takes too long to build.

    The limit is `--max-seconds` in `options`. For a level that takes long, but not too long, a
    warning is printed.

    Raises:
        SpecError: A level would take longer than the limit.
    """
    from exporter.build.costs import check_costs
    from exporter.console.styles import styled_problem

    for side in sides:
        if side.spec is not None:
            for warning in check_costs(side.spec, options.max_seconds):
                print(styled_problem(warning, styles_of(options).errors), file=sys.stderr)


def levels_of(sides: list[ComparedSide]) -> Iterator[Level]:
    """Build and yield both levels of a comparison.

    Requirements of the specs are not checked, because a comparison may show why they are not met.
    If a level comes from a blob, both levels are reduced to what a blob stores.

    Raises:
        SpecError: A level cannot be built.
    """
    stored = any(side.blob is not None for side in sides)
    for side in sides:
        level = side.blob if side.blob is not None else _built(side)
        yield _as_stored(level) if stored else level


def outputs_of(
    sides: list[ComparedSide], max_seconds: float
) -> OutputDifference | ExporterError | None:
    """Return how the exported files of two built specs differ.

    None if they cannot be exported together: a level is a blob, the specs are not of one project,
    or the project has no target. An error, such as that making the files takes more than
    `max_seconds`, is returned, not raised, so that the levels can be compared without files.
    """
    was, now = sides
    root = root_of(now.path)
    if was.build is None or now.build is None or root is None or root_of(was.path) != root:
        return None
    from exporter.export.compared_outputs import compared_outputs
    from exporter.project.settings_file import load_project

    try:
        project = load_project(root)
        if not project.targets:
            return None
        return compared_outputs(project, was.build, now.build, max_seconds)
    except ExporterError as error:
        return error


def _in_revision(path: Path, revision: Revision) -> str:
    """Return Git's name for the file `path` in a commit: `HEAD:./path`."""
    if path.is_absolute():
        real = path.resolve()
        inside = real.is_relative_to(revision.top)
        return f"{revision.name}:{(real.relative_to(revision.top) if inside else real).as_posix()}"
    return f"{revision.name}:./{path.as_posix()}"


def _behind(expected: str | None) -> str:
    return "" if expected is None else f"@{expected}"


def _content(side: ComparedSide) -> bytes:
    try:
        return side.reader(side.path, _MAXIMUM_BLOB_BYTES)
    except OSError as error:
        hint = ""
        if isinstance(error, FileNotFoundError) and side.revision is not None:
            hint = "; name another commit with --revision, or two levels"
        raise UsageError(f"{side.label} cannot be read ({error.strerror or error}{hint})") from None


def _read_spec(side: ComparedSide, content: bytes) -> LevelSpec:
    """Parse the spec whose text is `content`; add its hand edits.

    They are read from where the spec is from: the same commit, or the working folder.

    Raises:
        SpecError: The spec or the file of hand edits has faults.
        UsageError: A file is too large, or cannot be read.
    """
    from exporter.reading.names import edits_file
    from exporter.reading.reader import load_level, parse_level, with_edits

    edits = side.path.parent / edits_file(side.path.name)
    side.inputs.append((edits, f"has the hand edits of {side.path} (name another file with -o)"))
    if side.revision is None:
        return load_level(side.path)
    file = _in_revision(side.path, side.revision)
    if len(content) > MAXIMUM_SPEC_BYTES:
        raise UsageError(f"{file} has {len(content)} bytes; allowed: {MAXIMUM_SPEC_BYTES}")
    spec = parse_level(content, file, side.path.parent)
    try:
        return with_edits(spec, side.reader(edits, MAXIMUM_EDITS_BYTES))
    except FileNotFoundError:
        return spec
    except OSError as error:
        raise UsageError(f"{edits} cannot be read ({error.strerror or error})") from None


def _read_blob(content: bytes, expected: str | None, text: str) -> Level:
    """Return the level with the number `expected` in the blob `content`.

    If `expected` is None, the blob must have only one level. `text` is the argument that names the
    blob, for messages.

    Raises:
        UsageError: The blob has no such level, or several.
        BlobError: The blob is damaged.
    """
    from exporter.blob import read_blob, read_container

    last = max((chunk.level for chunk in read_container(content)), default=0)
    if expected is None and last:
        raise UsageError(
            f"{text} has {last + 1} levels, and one is needed (write {text}@0 to {text}@{last})"
        )
    number = 0 if expected is None else _level_number(expected, last, text)
    return whole_level(read_blob(content, level=number))


def whole_level(level: Level) -> Level:
    """Return `level`, which was read from a blob, completely checked.

    Objects outside the map are refused, because they can be neither measured nor drawn.
    Certificates (facts about walkable cells) are left out, because those in a blob need not be true
    and can be computed from the cells.

    Raises:
        BlobError: The level is damaged or inconsistent.
    """
    size = f"{level.width} x {level.height} cells"
    longest = max(level.width, level.height)
    if not 1 <= level.width * level.height <= MAXIMUM_CELLS or longest > MAXIMUM_SIDE:
        raise BlobError(
            f"a level of {size} cannot be compared (allowed: 1 to {MAXIMUM_CELLS:,} cells, and "
            f"{MAXIMUM_SIDE:,} each way)"
        )
    for item in level.objects:
        if not (0 <= item.x < level.width and 0 <= item.y < level.height):
            raise BlobError(
                f"the object {item.name!r} at {item.x},{item.y} is outside the level of {size}"
            )
    sight = level.visibility
    if sight is not None and sight.opaque.shape != (level.height, level.width):
        raise BlobError(f"the visibility and the level of {size} differ in size")
    layers = {name: replace(layer, certificate=None) for name, layer in level.layers.items()}
    return replace(level, layers=layers)


def _level_number(expected: str, last: int, text: str) -> int:
    if not (
        expected.isascii() and expected.isdecimal() and len(expected) < 10 and int(expected) <= last
    ):
        levels = "one level, 0" if not last else f"the levels 0 to {last}"
        raise UsageError(
            f"{text}: a blob has no seeds to choose from (write NAME@INDEX; it has {levels})"
        )
    return int(expected)


def _built(side: ComparedSide) -> Level:
    from exporter.build.build import Build

    assert side.spec is not None
    root = root_of(side.path)
    # Find the seed first: its search depends on the limits, which are then removed.
    spec = Build(side.spec, root, reader=side.reader).find_seed().without_limits()
    build = side.build = Build(spec, root, reader=side.reader)
    level, _ = build.level()
    if build.files.root is not None:
        refusal = f"is a file that {side.label} reads (name another with -o)"
        side.inputs += [(build.files.root / name, refusal) for name in build.files.hashes]
    return level


def _as_stored(level: Level) -> Level:
    """Return `level` without what a blob does not store.

    This is: layers that are not exported, the tileset, and visibility by a rule that readers of
    blobs do not know.
    """
    from exporter.blob import with_readable_sight

    return with_readable_sight(replace(level.exported(), tileset=None))
