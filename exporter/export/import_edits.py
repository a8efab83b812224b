"""Import cells that a user painted on exported maps as hand edits.

A painted map is compared with the map as it was exported. The differences are written into the
edits file first; only then does the map count as unmodified, so that the next export rewrites it. A
crash in between loses nothing: the map is imported once more, with the same result. A map with
changes that hand edits cannot describe is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from exporter.export.edit_merge import EditMerge, TileNames
from exporter.export.engine_rules import EngineRules
from exporter.export.events import MAP_SUFFIXES
from exporter.export.level_builder import LevelBuilder
from exporter.export.painted_files import DrawnLevel, answer, drawn_cells, read_drawn
from exporter.export.project_snapshot import ProjectFiles, ProjectSnapshot, waiting_files
from exporter.export.settings import Settings
from exporter.export.tasks import Task, TaskResult, content_from, content_name, unforeseen
from exporter.model.errors import ExporterError, ParameterError, Problem, SpecError, StoreError
from exporter.model.input_files import read_input
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_INPUT_BYTES
from exporter.model.suggestions import unknown_name
from exporter.project.project import STATE_FOLDER, display_path
from exporter.project.saving import check_text, save_text
from exporter.reading.names import edits_file
from exporter.reading.reader import read_edits
from exporter.store.cache import Cache
from exporter.store.code_identity import code_identity
from exporter.store.commit_plan import File
from exporter.store.contents import digest_of
from exporter.store.entries import ManifestEntry, Output
from exporter.store.ownership import FileState
from exporter.store.store import Store


@dataclass(frozen=True, slots=True)
class ImportedEdits:
    """The result of importing painted maps as hand edits of one level.

    Attributes:
        level: The level's name.
        spec: The path of the level's spec.
        file: The edits file, relative to the project.
        cells: How many painted cells became edits.
        objects: How many changed objects became edits.
        accepted: How many edits that conflicted with the generated level were adapted to it.
        maps: The maps that the next export rewrites.
        preserved: Maps that stay as they are, each with its changes that no hand edit describes.
        problems: Why the import failed or is incomplete.
        written: Whether the edits file was changed.
        traceback: The traceback of a bug in the exporter; then that is the only problem.
    """

    level: str
    spec: str
    file: str
    cells: int = 0
    objects: int = 0
    accepted: int = 0
    maps: tuple[str, ...] = ()
    preserved: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problems: tuple[Problem, ...] = ()
    written: bool = False
    traceback: str = ""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Options for importing painted maps.

    Attributes:
        levels: Globs of the names of levels; empty for all.
        whole: Whether to compare maps with the level as generated now, not with the maps as
            exported, which may be unknown.
        accept: Whether to adapt earlier edits that conflict with the level as generated now.
        dry_run: Whether to write nothing.
        files: Files in which an engine plugin stored painted cells, besides those in the state
            folder.
    """

    levels: tuple[str, ...] = ()
    whole: bool = False
    accept: bool = False
    dry_run: bool = False
    files: tuple[Path, ...] = ()


def import_painted(root: Path, options: ImportOptions) -> list[ImportedEdits]:
    """Import all painted maps of the project in folder `root`.

    Return a result for each level with painted maps.

    Raises:
        SpecError: exporter.yaml is wrong.
        StoreError: The project's state folder cannot be used, or a file cannot be written.
    """
    store = Store(root, root / STATE_FOLDER, EngineRules(), dry=options.dry_run)
    files = ProjectFiles(root, store, code_identity())
    if options.dry_run:
        store.peek()
    with store:
        snapshot = files.read()
        store.set_homes(snapshot.mark.homes)
        importer = EditImporter(root, store, files, options)
        selects = Settings(options.levels).selects
        drawn, problems = read_painted_files([*waiting_files(root), *options.files], snapshot)
        result: list[ImportedEdits | None] = [
            importer.run(spec, snapshot, drawn.get(item.name, ()))
            for spec, item in snapshot.levels.items()
            if selects(item.name)
        ]
        if problems:
            result.append(ImportedEdits("", "", "", problems=tuple(problems)))
        if not options.dry_run:
            store.manifest.flush()
    return [item for item in result if item is not None]


def read_painted_files(
    files: Iterable[Path], snapshot: ProjectSnapshot
) -> tuple[dict[str, tuple[DrawnLevel, ...]], list[Problem]]:
    """Read the `files` in which engine plugins stored painted cells.

    Return the painted levels by name, and a problem for each file that cannot be used, for example
    because `snapshot` lacks its level.
    """
    drawn: dict[str, tuple[DrawnLevel, ...]] = {}
    problems = []
    names = {level.name for level in snapshot.levels.values()}
    for file in files:
        try:
            item = read_drawn(file)
            if item.level not in names:
                raise ParameterError(unknown_name("level", item.level, sorted(names)))
            drawn[item.level] = (*drawn.get(item.level, ()), item)
        except ParameterError as error:
            problems.append(_not_imported(error.message, file))
    return drawn, problems


def _not_imported(message: str, file: Path) -> Problem:
    return Problem(f"painted cells cannot be imported: {message}", display_path(file))


class EditImporter:
    """Imports the painted maps of one project; the caller locks its store.

    Args:
        root: The project's folder.
        store: The store with the manifest.
        files: Reads the project's files.
        options: Which maps are imported, and how.
        targets: The names of the targets whose maps are imported; None for all targets.
    """

    def __init__(
        self,
        root: Path,
        store: Store,
        files: ProjectFiles,
        options: ImportOptions,
        targets: frozenset[str] | None = None,
    ) -> None:
        self.root = root
        self.store = store
        self.files = files
        self.options = options
        self.targets = targets
        self.cache = Cache(root / STATE_FOLDER)

    def run(
        self, spec: str, snapshot: ProjectSnapshot, drawn: Sequence[DrawnLevel] = ()
    ) -> ImportedEdits | None:
        """Import the painted maps of `spec`; return None without any.

        An internal error becomes a problem in the result.

        Args:
            spec: The path of the level's spec.
            snapshot: The project's specs as last read.
            drawn: The level's painted cells from files of engine plugins.
        """
        try:
            return self._run(spec, snapshot, drawn)
        except ExporterError:
            raise
        except Exception as error:
            problem, text = unforeseen(error, self.root / spec)
            name = snapshot.levels[spec].name
            return ImportedEdits(name, spec, edits_file(spec), problems=(problem,), traceback=text)

    def _run(
        self, spec: str, snapshot: ProjectSnapshot, drawn: Sequence[DrawnLevel] = ()
    ) -> ImportedEdits | None:
        entry = self.store.entries.get(spec)
        edits = read_edits(self.root / spec)
        accept = self.options.accept and edits is not None
        forced = accept or bool(drawn)
        if entry is not None and not forced and not self._may_be_painted(entry):
            return None
        content = self.files.content(spec)
        if content is None:
            return None  # being written just now
        item = snapshot.levels[spec]
        task = Task(self.files.project(), spec, content, item.key, self.files.identity, dry=True)
        builder = LevelBuilder(task)
        built = builder.run()
        level = ImportedEdits(item.name, spec, edits_file(spec))
        if built.problems or builder.build is None:
            return replace(level, problems=built.problems)
        outputs = [self._output(file, entry) for file in built.files if self._is_map(file)]
        painted = self._painted_maps(outputs)
        if not painted and not forced:
            return None
        merge = EditMerge(builder.build)
        if accept:
            merge.accept()
        level = self._merge_all(level, painted, built, builder, merge)
        level, imported = self._merge_drawn(level, drawn, merge)
        level = self._store(level, merge, edits, painted, entry, built)
        if not (self.options.dry_run or level.problems):
            waiting = set(waiting_files(self.root))
            for file in waiting.intersection(imported):
                file.unlink(missing_ok=True)
        return level

    def _may_be_painted(self, entry: ManifestEntry) -> bool:
        """Return whether a level may have a painted map, without building it.

        `entry` is the level's entry in the manifest. In a copied or moved project it has no kinds
        of outputs, so any output may be a map.
        """
        believed = all(output.kind for output in entry.outputs)
        return not believed or bool(self._painted_maps(entry.outputs))

    def _merge_drawn(
        self, level: ImportedEdits, drawn: Sequence[DrawnLevel], merge: EditMerge
    ) -> tuple[ImportedEdits, list[Path]]:
        """Merge the cells that engine plugins stored into `merge`.

        Return `level` with the problems and the preserved files, and the files that were imported
        whole.
        """
        imported = []
        for item in drawn:
            try:
                dropped = merge.cells(drawn_cells(item, merge.build.layers.values()), same=True)
            except ParameterError as error:
                problems = (*level.problems, _not_imported(error.message, item.file))
                level = replace(level, problems=problems)
                answer(item.file, error.message)
                continue
            answer(item.file, "; ".join(dropped))
            if dropped:
                level = replace(
                    level, preserved=(*level.preserved, (display_path(item.file), tuple(dropped)))
                )
            else:
                imported.append(item.file)
        return level, imported

    def _merge_all(
        self,
        level: ImportedEdits,
        painted: Sequence[Output],
        built: TaskResult,
        builder: LevelBuilder,
        merge: EditMerge,
    ) -> ImportedEdits:
        """Merge the user-modified maps `painted` into `merge`.

        `built` has the files of the level as generated now, `builder` their contents. Return
        `level` with the problems, the preserved maps, and the maps to rewrite.
        """
        files = {file.path: file for file in built.files}
        for output in painted:
            try:
                content = read_input(self.root / output.path, MAXIMUM_INPUT_BYTES)
                dropped = self._merge(output, content, files, builder, merge)
            except (ParameterError, OSError) as error:
                message = error.message if isinstance(error, ParameterError) else str(error)
                problem = _not_imported(message, self.root / output.path)
                level = replace(level, problems=(*level.problems, problem))
                continue
            if dropped:
                level = replace(level, preserved=(*level.preserved, (output.path, dropped)))
            else:
                level = replace(level, maps=(*level.maps, output.path))
                merge.digests[output.path] = digest_of(content)
                if not self.options.dry_run:
                    # The version to compare with if the user paints on before the map is rewritten.
                    self.cache.save(content_name(digest_of(content)), content)
        return level

    def _merge(
        self,
        output: Output,
        content: bytes,
        files: Mapping[str, File],
        builder: LevelBuilder,
        merge: EditMerge,
    ) -> tuple[str, ...]:
        """Merge the painted map `output`, whose text is `content`, into `merge`.

        `files` are the files of the level as generated now, by path; `builder` has their contents.
        Return messages about changes that no hand edit can describe.

        Raises:
            ParameterError: The map cannot be read, or compared.
        """
        from exporter.formats.tiled.painted import what_was_painted
        from exporter.formats.tiled.painted_map import read_painted

        present = self._present(files[output.path], builder)
        before = present if self.options.whole else self._before(output, present)
        names = TileNames(self.root, output.path, files, lambda item: self._present(item, builder))
        after = read_painted(content)
        old, now = read_painted(before), read_painted(present)
        names.learn(now, merge.build)
        layers = [layer.name for layer in merge.build.layers.values() if layer.kind == "tiles"]
        done = what_was_painted(old, after, layers, names, only_new=self.options.whole)
        dropped = [*done.dropped, *merge.cells(done.cells, same=before == present)]
        things = [(item.id, item.name) for item in old.objects or ()]
        dropped += merge.objects(things, done.moved, done.removed, done.added)
        return tuple(dropped)

    def _before(self, output: Output, present: bytes) -> bytes:
        """Return the map `output` as it was exported, before a user painted on it.

        `present` is the map of the level as generated now.

        Raises:
            ParameterError: The level has changed since then, and the exported map is not stored.
        """
        digest = digest_of(present)
        written = {output.written, *self.store.indexes.listed(output.home, output.path)} - {""}
        if digest in written:
            return present
        for item in sorted(written):
            remaining = self.cache.load(content_name(item))
            if remaining is not None and digest_of(remaining) == item:
                return remaining
        raise ParameterError(
            "the level was changed after this map was exported, and the exported state is no "
            "longer stored (undo the changes of the spec and import first, or import every cell "
            "that differs from the present level with `exporter edits take --whole`)"
        )

    def _present(self, file: File, builder: LevelBuilder) -> bytes:
        data = file.data or builder.unsaved.get(content_name(file.sha256))
        data = data or content_from(self.cache, file)
        if data is None:
            raise ParameterError(
                "the exported cells of this map are no longer in the cache (run `exporter export "
                "--force`, then `exporter edits take` again)"
            )
        return data

    def _store(
        self,
        level: ImportedEdits,
        merge: EditMerge,
        edits: bytes | None,
        painted: Sequence[Output],
        entry: ManifestEntry | None,
        built: TaskResult,
    ) -> ImportedEdits:
        """Write the merged edits, then record that imported maps are unmodified.

        `edits` is the text of the edits file when it was read, None without a file; `entry` is the
        level's manifest entry, None without one. Return `level` with what was imported.
        """
        from exporter.reading.edit_text import with_edits_changed

        position = self.root / level.file
        try:
            text = with_edits_changed(
                edits, display_path(position), merge.layer_edits, merge.object_edits
            )
        except SpecError as error:
            return replace(level, problems=error.problems, maps=(), preserved=())
        changed = text != (edits or b"")
        level = replace(
            level,
            cells=merge.painted_cells,
            objects=merge.painted_objects,
            accepted=merge.accepted,
            written=changed,
        )
        if self.options.dry_run:
            return level
        if changed:
            write_edits_file(position, edits, text)
        if merge.digests:
            self._give_back(painted, merge.digests, entry, built)
        return level

    def _give_back(
        self,
        painted: Sequence[Output],
        digests: Mapping[str, str],
        entry: ManifestEntry | None,
        built: TaskResult,
    ) -> None:
        """Record imported maps as unmodified, and the level as stale.

        The next export then rewrites the maps. `digests` are the hashes of the imported maps, by
        path; `entry` is the level's manifest entry, None without one.
        """
        task = built.task
        old = entry if entry is not None else ManifestEntry(task.spec, built.level)
        known = {output.path for output in old.outputs}
        outputs = [*old.outputs, *(item for item in painted if item.path not in known)]
        marked = tuple(
            replace(output, written=digests[output.path], signature=None)
            if output.path in digests
            else output
            for output in outputs
        )
        self.store.manifest.put(replace(old, key="", outputs=marked))
        self.store.manifest.flush()

    def _painted_maps(self, outputs: Iterable[Output]) -> list[Output]:
        return [
            output
            for output in outputs
            if self._is_map(output) and self.store.look(output).state is FileState.USER_MODIFIED
        ]

    def _is_map(self, file: Output | File) -> bool:
        is_targeted = self.targets is None or file.target in self.targets
        return is_targeted and file.kind == "tilemap" and file.path.endswith(MAP_SUFFIXES)

    def _output(self, file: File, entry: ManifestEntry | None) -> Output:
        """Return the record of `file` in the manifest `entry`, or a new record."""
        for output in entry.outputs if entry is not None else ():
            if output.path == file.path:
                # In a copied project, trust only the file's content.
                return output if output.kind else file.output(output.written)
        return file.output()


def write_edits_file(position: Path, before: bytes | None, text: bytes) -> None:
    """Replace the content of the edits file `position`; if empty, remove it.

    Args:
        position: The edits file; links are followed.
        before: The content when the file was read; None if it did not exist.
        text: The new content.

    Raises:
        StoreError: The file cannot be written, or was changed meanwhile.
    """
    if text:
        save_text(position, before, text)
        return
    check_text(position, before)
    try:
        position.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{position}: cannot be removed ({error.strerror or error})") from None
