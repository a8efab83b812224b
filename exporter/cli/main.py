"""The command line: arguments in, text and exit codes out; the work is done elsewhere.

Exit codes: 0 done; 1 some level failed (the others are still exported); 2 wrong usage;
130 interrupted. Standard output is for results, standard error for talk.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from exporter._version import __version__
from exporter.model.errors import ExporterError, SpecError

EXIT_DONE = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


class UsageError(Exception):
    """The command's words are off; said in one line, with exit code 2."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except UsageError as error:
        print(f"exporter: {error}", file=sys.stderr)
        return EXIT_USAGE
    except SpecError as error:
        for problem in error.problems:
            print(problem.render(), file=sys.stderr)
        return EXIT_FAILED
    except ExporterError as error:
        print(f"exporter: {error}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (`| head`) has seen enough.
        sys.stderr.close()
        return EXIT_DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="exporter",
        description="Turns level specs (*.level.yaml) into what Godot, Unity and Tiled import.",
        epilog="Start with `exporter init`, then keep `exporter watch` running beside your game.",
    )
    parser.add_argument("--version", action="version", version=f"exporter {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    export = commands.add_parser("export", help="export every level once")
    _add_project(export)
    export.add_argument(
        "--level", action="append", default=[], metavar="GLOB", help="only levels with such a name"
    )
    export.add_argument(
        "--jobs", type=_positive, metavar="N", help="processes to build in (default: by the work)"
    )
    export.add_argument(
        "--force", action="store_true", help="build every level, overwrite files that are not ours"
    )
    export.add_argument("--dry-run", action="store_true", help="say what would be done")
    export.add_argument("--json", action="store_true", help="print the report as JSON")
    export.set_defaults(run=_export)

    watch = commands.add_parser("watch", help="export, then keep exporting what changes")
    _add_project(watch)
    watch.add_argument("--json", action="store_true", help="print one JSON object per line")
    watch.add_argument("--jobs", type=_positive, metavar="N", help="processes to build in")
    watch.add_argument(
        "--poll", action="store_true", help="look at the files regularly, without system events"
    )
    watch.add_argument(
        "--takeover", action="store_true", help="end the daemon that watches this project already"
    )
    watch.add_argument(
        "--timeout",
        type=_positive,
        default=300,
        metavar="SECONDS",
        help="give up a level that takes longer to build (default: 300)",
    )
    watch.set_defaults(run=_watch)

    check = commands.add_parser("check", help="validate specs, write nothing")
    check.add_argument("paths", nargs="*", type=Path, metavar="PROJECT or SPEC")
    check.add_argument("--json", action="store_true", help="print the report as JSON")
    check.set_defaults(run=_check)

    init = commands.add_parser("init", help="a new project, or the exporter for an existing game")
    init.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="DIR")
    init.add_argument(
        "--engine",
        action="append",
        metavar="NAME",
        default=[],
        help="engines to export to (default: what the folder is a project of)",
    )
    init.set_defaults(run=_init)

    preview = commands.add_parser("preview", help="draw one level as a picture")
    preview.add_argument("spec", type=Path, metavar="SPEC")
    preview.add_argument("-o", "--output", type=Path, metavar="PNG", help="default: <level>.png")
    preview.add_argument(
        "--at", type=_point, metavar="X,Y", help="shade what cannot be seen from this cell"
    )
    preview.add_argument(
        "--view", type=_extent, metavar="WxH", help="draw only the game view around --at"
    )
    preview.add_argument("--scale", type=_positive, metavar="N", help="pixels of a cell's side")
    preview.set_defaults(run=_preview)

    inspect = commands.add_parser("inspect", help="what is in a blob, or any file's byte entropy")
    inspect.add_argument("files", nargs="+", type=Path, metavar="FILE")
    inspect.add_argument("--json", action="store_true", help="print the report as JSON")
    inspect.set_defaults(run=_inspect)

    schema = commands.add_parser("schema", help="the JSON Schema of the level spec, for editors")
    schema.set_defaults(run=_schema)

    clean = commands.add_parser("clean", help="remove what the exporter wrote, nothing else")
    _add_project(clean)
    clean.set_defaults(run=_clean)
    return parser


def _add_project(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "project",
        nargs="?",
        type=Path,
        metavar="PROJECT",
        help="folder with exporter.yaml (default: the nearest one upwards from here)",
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _pair(text: str, separator: str, form: str) -> tuple[int, int]:
    first, found, second = text.partition(separator)
    try:
        if not found:
            raise ValueError
        return int(first), int(second)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form {form}") from None


def _point(text: str) -> tuple[int, int]:
    return _pair(text, ",", "X,Y")


def _extent(text: str) -> tuple[int, int]:
    width, height = _pair(text.lower(), "x", "WxH")
    if width < 1 or height < 1:
        raise argparse.ArgumentTypeError("a view is at least 1x1")
    return width, height


def _project_root(given: Path | None) -> Path:
    from exporter.project.project import FILE_NAME, find_project

    if given is None:
        try:
            return find_project(Path())
        except SpecError as error:
            raise UsageError(error.problems[0].message) from None
    if given.name == FILE_NAME and given.is_file():
        given = given.parent
    if not given.is_dir():
        raise UsageError(f"there is no folder {str(given)!r}")
    if not (given / FILE_NAME).is_file():
        raise UsageError(f"{given} has no {FILE_NAME} (make one with `exporter init {given}`)")
    return given.resolve()


def _export(options: argparse.Namespace) -> int:
    from exporter.console.reporting import ExportReporter, JsonReporter
    from exporter.export.export import Settings, export_project, failed

    root = _project_root(options.project)
    settings = Settings(tuple(options.level), options.jobs, options.force, options.dry_run)
    reporter = JsonReporter() if options.json else ExportReporter(options.dry_run)
    try:
        results = export_project(root, settings, event=reporter.event, progress=reporter.progress)
    except SpecError as error:
        reporter.refused(error)
        return EXIT_FAILED
    if options.level and not results:
        raise UsageError(f"no level is called {' or '.join(options.level)}")
    reporter.finish(results)
    return EXIT_FAILED if failed(results) else EXIT_DONE


def _watch(options: argparse.Namespace) -> int:
    from exporter.watch import watch_project

    root = _project_root(options.project)
    return watch_project(
        root,
        json=options.json,
        jobs=options.jobs,
        poll=options.poll,
        takeover=options.takeover,
        patience=options.timeout,
    )


def _check(options: argparse.Namespace) -> int:
    from exporter.console.reporting import report_checks
    from exporter.project.checking import check_paths

    paths = options.paths or [_project_root(None)]
    for path in paths:
        if path.is_dir():
            _project_root(path)
        elif not path.is_file():
            raise UsageError(f"there is no file or folder {str(path)!r}")
    return EXIT_FAILED if report_checks(check_paths(paths), options.json) else EXIT_DONE


def _init(options: argparse.Namespace) -> int:
    from exporter.model.errors import RegistryError
    from exporter.project.project import FILE_NAME
    from exporter.project.starting import plan_project, targets_called
    from exporter.store.store import replace_file

    folder: Path = options.folder
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    try:
        targets = targets_called(options.engine)
    except RegistryError as error:
        raise UsageError(str(error)) from None
    plan = plan_project(folder, targets)
    if plan.games:
        print(f"found a {' and '.join(plan.games)} project")
    existing = (folder / FILE_NAME).exists()
    for file in plan.files:
        path = folder / file.path
        if path.exists():
            print(f"kept {file.path}")
        elif not (existing and file.example):
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, file.data)
            print(f"wrote {file.path}")
    where = "" if folder.resolve() == Path.cwd() else f" {folder}"
    print(f"next: exporter watch{where}")
    return EXIT_DONE


def _preview(options: argparse.Namespace) -> int:
    from exporter.formats.preview import preview_picture
    from exporter.pipeline.build import build_level
    from exporter.project.project import find_project
    from exporter.reading.reader import load_level
    from exporter.store.store import replace_file

    if not options.spec.is_file():
        raise UsageError(f"there is no file {str(options.spec)!r}")
    if options.view is not None and options.at is None:
        raise UsageError("--view needs --at, the cell the view is around")
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
    return EXIT_DONE


def _camera(
    player: tuple[int, int], extent: tuple[int, int], size: tuple[int, int]
) -> tuple[int, int, int, int]:
    """Return what the game's camera shows of a map: x, y, width and height in cells."""
    from exporter.grids.views import game_view

    view = game_view(player, extent, size)
    return view.x, view.y, min(view.width, size[0]), min(view.height, size[1])


def _inspect(options: argparse.Namespace) -> int:
    from exporter.console.reporting import report_inspections

    for file in options.files:
        if not file.is_file():
            raise UsageError(f"there is no file {str(file)!r}")
    return report_inspections(options.files, options.json)


def _schema(_: argparse.Namespace) -> int:
    import json

    from exporter.reading.schema import level_schema

    print(json.dumps(level_schema(), indent=2))
    return EXIT_DONE


def _clean(options: argparse.Namespace) -> int:
    from exporter.export.status import Status
    from exporter.store.store import Store

    root = _project_root(options.project)
    removed: list[str] = []
    kept: list[str] = []
    with Store(root, root / ".exporter") as store:
        for spec in sorted(store.entries):
            paths = [output.path for output in store.entries[spec].outputs]
            removed += store.forget(spec)
            kept += [path for path in paths if (root / path).exists()]
        store.save()
        Status().write(store, [])
    for path in kept:
        print(f"kept {path} (edited since it was exported)", file=sys.stderr)
    print(f"removed {len(removed)} files")
    return EXIT_DONE
