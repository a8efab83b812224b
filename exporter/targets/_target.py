"""Define what a target is, and register targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from inspect import getdoc
from typing import TYPE_CHECKING, Any, TypeVar

from exporter.formats import Artifact
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_PICTURE_SIDE
from exporter.model.parameters import Parameters
from exporter.model.registry import Registry, first_paragraph
from exporter.targets._files import format_files
from exporter.targets._map_options import check_no_grid
from exporter.targets._options import TargetOptions
from exporter.targets._work import SharedWork

if TYPE_CHECKING:
    from exporter.model.level import Level


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning, and the key in a spec or in exporter.yaml that it is about.

    Attributes:
        message: The problem, and a fix.
        path: The key's path in the level spec or in the target's options.
        in_spec: Whether `path` is one in the level spec.
    """

    message: str
    path: tuple[str | int, ...] = ()
    in_spec: bool = False


@dataclass(frozen=True, slots=True)
class Exported:
    """The files of a level for one engine, in order of writing, and warnings.

    A warning that is a plain text is about the whole level, not about one key.
    """

    artifacts: tuple[Artifact, ...]
    warnings: tuple[str | Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Plugin:
    """An engine's plugin, which `plugin: true` keeps in the game project.

    Attributes:
        source: The folder of the plugin's files, relative to `package`.
        folder: The plugin's folder in the game project.
        package: The Python package that contains `source`, by its dotted name; if empty, `source`
            is among the exporter's own templates.
    """

    source: str
    folder: str
    package: str = ""


@dataclass(frozen=True, slots=True)
class AssetKind:
    """A kind of game file that exporter.yaml can name, such as a tileset.

    Attributes:
        suffix: How the file names end.
        sign: Bytes near the beginning of each such file, by which it is recognised.
        root: What exporter.yaml writes before the path, such as `res://`.
    """

    suffix: str
    sign: bytes
    root: str = ""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game project that `init` can create in an empty folder.

    Attributes:
        template: The game's folder in the exporter's own templates of projects.
        opening: How to open the game: a sentence with `{folder}`, the path of the game.
        page: The page of the documentation to read next.
    """

    template: str
    opening: str
    page: str


@dataclass(frozen=True, slots=True)
class Start:
    """How `exporter init` sets up a target.

    Attributes:
        folder: The target folder in a project that is not a game of this engine.
        game_folder: The target folder inside a game project of this engine.
        rank: The order in which `init` offers targets: a new project gets the target with the
            lowest. None for a target that is only added on request.
        beside_specs: Files to put beside the level specs inside a game project: content by name.
        nested_game_folder: The target folder inside a game project below the folder of the level
            specs; if empty, `game_folder`.
        signs: Globs for programs without game projects: a folder that is not a game, and has a file
            that matches one of them, gets this target.
        note: A sentence about the target for a user who has such files.
        new_game: The game to create in an empty folder; None without one.
        tilesets: The files that the option `tileset: {file: ...}` takes; None if it takes no file.
        scenes: The files that the option `scenes` takes; None if the target has no such option.
    """

    folder: str
    game_folder: str
    rank: int | None = None
    beside_specs: Mapping[str, bytes] = field(default_factory=dict)
    nested_game_folder: str = ""
    signs: tuple[str, ...] = ()
    note: str = ""
    new_game: NewGame | None = None
    tilesets: AssetKind | None = None
    scenes: AssetKind | None = None


Artifacts = Callable[["Level", Any, str, SharedWork], Exported]
Settings = Callable[[Artifact, "Level", Any, str, SharedWork], Iterable[Artifact]]
WorldLimits = Callable[["Level", Any, str, SharedWork], Iterable["str | Notice"]]
Function = TypeVar("Function", bound=Artifacts)


@dataclass(frozen=True, slots=True)
class Target:
    """A registered engine: the function that makes its files, and facts.

    In the functions below `folder` is the target folder, relative to the project, and `shared` is
    the work that the targets of a level share.

    Attributes:
        name: The target's name in exporter.yaml.
        options: The class of the target's options in exporter.yaml.
        artifacts: `(level, options, folder, shared) -> Exported`: the target's own files.
        title: The engine's name as people write it.
        summary: One line about the engine.
        settings: `(file, level, options, folder, shared) -> files`: the import settings to write
            right before a file.
        markers: Files in the top folder of the engine's game projects; may be empty.
        plugin: The engine's plugin, or None. With one, the options have the field `plugin`.
        start: How `init` sets up the target.
        tileset: The class of options for a tileset that the team keeps, derived from
            `TeamTilesetOptions`; None if unsupported. With it, the target's options have the field
            `tileset`.
        world: `(chunk, options, folder, shared) -> Exported`: the files of a world as a whole,
            which lie beside the folder of its chunks. `chunk` is the chunk in the middle, which has
            the tiles of all legends. None if only chunks have files.
        world_limits: `(chunk, options, folder, shared) -> warnings`: what works badly in the engine
            for a world of that size, reported before anything is made. `chunk` is the chunk in the
            middle. An impossible size raises a `LevelError` with the size that fits.
    """

    name: str
    options: type[TargetOptions]
    artifacts: Artifacts
    title: str
    summary: str
    settings: Settings
    markers: tuple[str, ...]
    plugin: Plugin | None
    start: Start
    tileset: type[Parameters] | None = None
    world: Artifacts | None = None
    world_limits: WorldLimits | None = None

    def export(
        self, level: Level, options: Any, folder: str, shared: SharedWork | None = None
    ) -> Exported:
        """Return all files of a level: the target's own, and those of `formats`.

        Layers with the role `none` are left out.

        Args:
            level: The level to export.
            options: An instance of the target's options.
            folder: The target folder, relative to the project.
            shared: The work that this level's targets share; None shares nothing.

        Raises:
            ParameterError: Two of the files would have the same name.
            RegistryError: The options name a format that does not exist.
        """
        shared = shared if shared is not None else SharedWork()
        level = level.exported()
        own = self.artifacts(level, options, folder, shared)
        unfit: list[str] = []
        too_large: list[Notice] = []
        fitting = _fitting(own.artifacts, level, too_large)
        files = self._with_settings(fitting, level, options, folder, shared)
        writers = dict.fromkeys((_folded(file) for file in files), f"the target {self.name!r}")
        written = {file.name: file.data for file in files}
        for name in dict.fromkeys(options.formats):
            result = _fitting(format_files(name, level, options, shared, unfit), level, too_large)
            # Files of the target itself are not written twice.
            result = [file for file in result if written.get(file.name) != file.data]
            further = self._with_settings(result, level, options, folder, shared)
            for file in (*result, *further):
                other = writers.setdefault(_folded(file), f"the format {name!r}")
                if other != f"the format {name!r}":
                    raise ParameterError(
                        f"the format {name!r} would write {file.name}, which {other} already "
                        "writes (leave one out)",
                        ("formats",),
                    )
            files += further
        notices = [Notice(message, ("formats",)) for message in unfit]
        warnings = [*own.warnings, *notices, *dict.fromkeys(too_large)]
        if any(file.kind == "blob" for file in files):
            from exporter.targets.shared_files import blob_warnings

            warnings += blob_warnings(level)
        return Exported(tuple(files), tuple(warnings))

    def export_part(
        self, level: Level, options: Any, folder: str, shared: SharedWork | None = None
    ) -> Exported:
        """Return the files of `level`, a chunk of a world.

        They are in the folder of the chunks, which is inside `folder`. All chunks share one
        tileset.

        Args:
            level: The chunk to export.
            options: An instance of the target's options.
            folder: The target folder, relative to the project.
            shared: The work that the chunk's targets share; None shares nothing.

        Raises:
            ParameterError: Two of the files would have the same name.
            RegistryError: The options name a format that does not exist.
        """
        assert level.part is not None
        part_folder = level.part.folder
        result = self.export(level, _of_parts(options), f"{folder}/{part_folder}", shared)
        return replace(
            result,
            artifacts=tuple(
                replace(artifact, name=f"{part_folder}/{artifact.name}")
                for artifact in result.artifacts
            ),
        )

    def export_world(
        self, level: Level, options: Any, folder: str, shared: SharedWork | None = None
    ) -> Exported:
        """Return the files of a world that belong to no single chunk.

        `level` is the chunk in the middle of the world, `options` is an instance of the target's
        options, and `folder` is the target folder, relative to the project. `shared` is the work
        that the targets share; None shares nothing.
        """
        from exporter.formats.worlds.description import world_description

        shared = shared if shared is not None else SharedWork()
        level = level.exported()
        files: list[Artifact] = [world_description(level)]
        warnings: tuple[str | Notice, ...] = ()
        if self.world is not None:
            own = self.world(level, _of_parts(options), folder, shared)
            files += self._with_settings(own.artifacts, level, options, folder, shared)
            warnings = own.warnings
        return Exported(tuple(files), warnings)

    def check_world(
        self, level: Level, options: Any, folder: str, shared: SharedWork | None = None
    ) -> Exported:
        """Check, before any work, that the engine can load a world this large.

        `level` is the chunk in the middle of the world, `options` is an instance of the target's
        options, and `folder` is the target folder, relative to the project. `shared` is the work
        that the targets share; None shares nothing.

        Returns:
            Warnings, without files.

        Raises:
            ParameterError: The options do not fit a world.
            LevelError: The world is too large for the engine.
        """
        check_no_grid(options)
        if self.world_limits is None:
            return Exported(())
        shared = shared if shared is not None else SharedWork()
        reported = self.world_limits(level.exported(), _of_parts(options), folder, shared)
        return Exported((), tuple(reported))

    def _with_settings(
        self, files: Iterable[Artifact], level: Level, options: Any, folder: str, shared: SharedWork
    ) -> list[Artifact]:
        """Return `files` in order, each with its import settings right before it."""
        out: list[Artifact] = []
        for file in files:
            out += [*self.settings(file, level, options, folder, shared), file]
        return out


def _of_parts(options: Any) -> Any:
    """Return a target's options with the defaults for chunks of a world.

    Chunks share a tileset. A game reads chunks while it runs, so blobs have the profile `fast`
    unless the user chose another: they decode in a ninth of the time and have a tenth more bytes.
    """
    if getattr(options, "tilesets", None) == "level":
        options = replace(options, tilesets="project")
    if options.blob is True:
        options = replace(options, blob="fast")
    return options


def _fitting(files: Iterable[Artifact], level: Level, left_out: list[Notice]) -> list[Artifact]:
    """Return `files` without pictures that are too large for any engine.

    `left_out` receives a warning about each such picture.
    """
    fitting = []
    for file in files:
        side = max(_sides(file.data)) if file.name.endswith(".png") else 0
        if side <= MAXIMUM_PICTURE_SIDE:
            fitting.append(file)
            continue
        layer = level.layers.get(file.layer or "")
        cells = max(layer.width, layer.height) if layer is not None else MAXIMUM_PICTURE_SIDE + 1
        largest = MAXIMUM_PICTURE_SIDE // cells
        way_out = f" (write `block_size: {largest}`)" if largest and file.kind == "bitmap" else ""
        message = (
            f"{file.name} is left out: it would be {side} pixels long, and engines hold "
            f"{MAXIMUM_PICTURE_SIDE}{way_out}"
        )
        left_out.append(Notice(message, ("block_size",)))
    return fitting


def _sides(png: bytes) -> tuple[int, int]:
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def _folded(file: Artifact) -> str:
    """Return the file's name in a form in which case makes no difference.

    Some file systems do not distinguish upper and lower case.
    """
    return file.name.casefold()


def no_settings(
    file: Artifact, level: Level, options: Any, position: str, shared: SharedWork
) -> Iterable[Artifact]:
    """Return no files: the engine needs no import settings."""
    return ()


TARGETS: Registry[Target] = Registry(
    "exporter.targets", "target", Target, helpers=("team_tilesets", "shared_files", "single_maps")
)


def target(
    name: str,
    options: type[TargetOptions],
    *,
    title: str = "",
    settings: Settings = no_settings,
    markers: tuple[str, ...] = (),
    plugin: Plugin | None = None,
    start: Start | None = None,
    tileset: type[Parameters] | None = None,
    world: Artifacts | None = None,
    world_limits: WorldLimits | None = None,
) -> Callable[[Function], Function]:
    """Register the decorated function as the target `name`.

    The function makes the target's own files; the other arguments become attributes of the new
    `Target`. An unset `title` is the name with a capital; with an unset `start` the target's files
    go into a folder `name`.
    """

    def register(function: Function) -> Function:
        entry = Target(
            name=name,
            options=options,
            artifacts=TARGETS.guarded(name, function, Exported),
            title=title or name.capitalize(),
            summary=first_paragraph(getdoc(options)),
            settings=TARGETS.guarded(name, settings) if settings is not no_settings else settings,
            markers=markers,
            plugin=plugin,
            start=start or Start(name, name),
            tileset=tileset,
            world=None if world is None else TARGETS.guarded(name, world, Exported),
            world_limits=None if world_limits is None else TARGETS.guarded(name, world_limits),
        )
        TARGETS.add(name, entry, function.__module__)
        return function

    return register
