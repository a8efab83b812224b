"""Build the level and the overlay that `exporter preview` draws."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import UsageError, styles_of
from exporter.cli.level_argument import root_of, split_argument, with_requested_seed
from exporter.model.errors import ParameterError, SpecError
from exporter.model.exit_codes import ExitCode
from exporter.model.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from exporter.build.build import Build
    from exporter.measures.maps import OverlayMap
    from exporter.model.errors import Problem
    from exporter.model.level import Level
    from exporter.reading.level_spec import LevelSpec

# The overlay that pictures show as frames around cells, so that the tiles stay visible.
FRAMED = "edits"


@dataclass(eq=False)
class Subject:
    """A spec to preview, and the files that its last build read.

    Attributes:
        text: The argument on the command line: `SPEC` or `SPEC@SEED`.
        path: The spec's file.
        seed: The seed after the `@`; None without one.
        files: The files that the last build read or looked for, by their names in the spec.
    """

    text: str
    path: Path
    seed: str | None
    files: dict[str, Path] = field(default_factory=dict)

    def load(self) -> LevelSpec:
        """Read the spec; return it with the requested seed.

        Raises:
            SpecError: The spec has faults.
        """
        from exporter.reading.names import edits_file
        from exporter.reading.reader import load_level

        edits = self.path.with_name(edits_file(self.path.name))
        self.files |= {"": self.path, "edits": edits}
        return with_requested_seed(load_level(self.path), self.seed, self.text)

    def root(self) -> Path | None:
        """Return the folder of the spec's project; None without one.

        Input files must lie in this folder; without a project, in the spec's own.
        """
        return root_of(self.path)

    def record_files(self, build: Build) -> None:
        """Record which files `build` read or looked for."""
        folder = build.files.root or self.path.parent
        self.files |= {name: folder / name for name in build.files.hashes}

    def inputs(self) -> Iterator[tuple[Path, str]]:
        """Yield the files that were read, each with a text for messages.

        The text says why the file must not be overwritten.
        """
        yield self.path, "is the spec itself (name another file with -o)"
        for path in self.files.values():
            if path != self.path:
                yield path, f"is a file that {self.path} reads (name another with -o)"


@dataclass(frozen=True, eq=False)
class PreviewLevel:
    """A built level with its overlay, ready to draw.

    Attributes:
        subject: The spec and its files.
        build: The build of the spec.
        level: The built level.
        overlay: The overlay to draw; None for no overlay, and for animations.
        code: The exit code of the command; 1 if the level could only be built without a
            requirement.
    """

    subject: Subject
    build: Build
    level: Level
    overlay: OverlayMap | None
    code: ExitCode = ExitCode.DONE


class _StageCache:
    """A cache of results of build stages, in memory.

    It spares the second build of a level the stages of the first one.
    """

    def __init__(self) -> None:
        self.data: dict[str, bytes] = {}

    def load(self, key: str) -> bytes | None:
        return self.data.get(key)

    def save(self, key: str, data: bytes) -> None:
        self.data[key] = data


def subjects(options: argparse.Namespace) -> list[Subject]:
    """Return the specs that the command's arguments name, in order.

    Raises:
        UsageError: A file is missing.
    """
    result = []
    for text in options.spec:
        result.append(Subject(text, *split_argument(text)))
    return result


def writes_page(options: argparse.Namespace) -> bool:
    """Return whether the option `-o` names an HTML file."""
    return options.output is not None and options.output.suffix.lower() == ".html"


def writes_model(options: argparse.Namespace) -> bool:
    """Return whether the option `-o` names a 3D model (`.glb`)."""
    return options.output is not None and options.output.suffix.lower() == ".glb"


def build_preview(subject: Subject, options: argparse.Namespace) -> PreviewLevel:
    """Build the level to preview, and its overlay; print warnings.

    Raises:
        UsageError: The level lacks the requested layer or overlay.
        SpecError: The level cannot be built.
    """
    from exporter.build.build import Build
    from exporter.build.costs import check_costs
    from exporter.console.styles import styled_problem

    styles = styles_of(options)

    def warn(problems: tuple[Problem, ...] | list[Problem]) -> None:
        for problem in problems:
            print(styled_problem(problem, styles.errors), file=sys.stderr)

    spec = subject.load()
    check_position(options, spec, subject)
    warn(check_costs(spec, options.max_seconds))
    root, remaining = subject.root(), _StageCache()
    expected = [spec]
    if options.overlay is not None and options.overlay.startswith("refused:"):
        expected.append(_without_requirement(spec, options.overlay))
    failure: SpecError | None = None
    for item in expected:
        build = Build(item, root, remaining if len(expected) > 1 else None)
        try:
            level, _ = build.level()
            break
        except SpecError as error:
            failure = failure or error
        finally:
            subject.record_files(build)
    else:
        assert failure is not None
        raise failure
    remaining.data |= build.stages.unsaved
    warn(failure.problems if failure is not None else build.shortfalls())
    overlay = None
    framed = options.overlay == FRAMED and not options.terminal and not writes_page(options)
    if options.overlay is not None and not framed:
        overlay = _overlay(options.overlay, build, remaining)
    code = ExitCode.DONE if failure is None else ExitCode.FAILED
    return PreviewLevel(subject, build, level, overlay, code)


def _without_requirement(spec: LevelSpec, overlay: str) -> LevelSpec:
    """Return `spec` without `required` for the objects that `overlay` names.

    So the level can be built though these objects find no cells, and the overlay `refused:NAME`
    shows what keeps them out.

    Raises:
        UsageError: The spec has no such objects.
    """
    from exporter.measures.measured import entry_of

    try:
        position = entry_of(spec.objects, overlay.partition(":")[2])
    except ParameterError as error:
        raise UsageError(f"--overlay {overlay}: {error.message}") from None
    objects = list(spec.objects)
    objects[position] = replace(objects[position], required=False)
    return replace(spec, objects=tuple(objects))


def _overlay(text: str, build: Build, remaining: _StageCache) -> OverlayMap:
    from exporter.build.observed import compute_overlay

    try:
        return compute_overlay(text, build, remaining)
    except ParameterError as error:
        raise UsageError(f"--overlay {text}: {error.message}") from None


def check_position(options: argparse.Namespace, spec: LevelSpec, subject: Subject) -> None:
    """Raise an error if `options` name a cell or layer that is not there.

    Only `spec` is looked at, before anything is built; `subject` names it in messages.

    Raises:
        UsageError: The level lacks the cell or layer, or has no field of view.
    """
    if options.at is not None and spec.visibility is None:
        raise UsageError(
            f"{subject.path} has no visibility, so --at cannot show it (add `visibility: "
            "{radius: 8}` to the spec)"
        )
    x, y = options.at or (0, 0)
    if not (0 <= x < spec.size[0] and 0 <= y < spec.size[1]):
        raise UsageError(f"--at {x},{y} is outside the level of {spec.size[0]}x{spec.size[1]}")
    if options.layer is not None and options.layer not in spec.layers:
        from exporter.model.suggestions import unknown_name

        raise UsageError(unknown_name("layer", options.layer, list(spec.layers)))
