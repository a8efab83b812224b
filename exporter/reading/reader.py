"""Read a level spec into a checked `LevelSpec`, or report all problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.generators import GENERATORS, GIVING, no_given_cells
from exporter.model.errors import ParameterError, Problem, RegistryError, SpecError
from exporter.model.input_files import read_input
from exporter.model.keys import value_key
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import (
    MAXIMUM_EDITS_BYTES,
    MAXIMUM_PROBLEMS,
    MAXIMUM_SIDE,
    MAXIMUM_SPEC_BYTES,
)
from exporter.model.parameters import DEVICE_NAMES, NAME_PATTERN, NAME_RULE, Parameters
from exporter.model.property_values import plain_values
from exporter.model.registry import Registry
from exporter.model.suggestions import suggestions
from exporter.reading.build_order import late_layers
from exporter.reading.document import Document, Mark, read_document, settled
from exporter.reading.document import Path as ValuePath
from exporter.reading.expected import hint_at
from exporter.reading.level_spec import (
    LayerOptions,
    LayerSpec,
    LevelDocument,
    LevelRequirements,
    LevelSpec,
    MetricLimit,
    PuzzleSpec,
    Requirements,
    SeedSearch,
)
from exporter.reading.metric_limits import plain_part, read_limits
from exporter.reading.names import default_name, edits_file
from exporter.reading.object_names import names_of
from exporter.reading.references import Declared, object_problems, standing_problems
from exporter.reading.roles import layer_roles
from exporter.reading.seed_search import search_problems
from exporter.reading.spec_checks import SPEC_CHECKS
from exporter.reading.validation import (
    PartialSpec,
    check,
    known_keys,
    missing_key,
    other_words,
    parse_partial,
    unknown_key,
)

if TYPE_CHECKING:
    from exporter.missions.parameters import MissionParameters
    from exporter.model.tables.table import TableParameters
    from exporter.placement.parameters import ObjectParameters
    from exporter.placement.spawn_rows import TableFault

Size = tuple[int, int]
# Replaces a faulty size: nothing is too large for it.
_ANY_SIZE = (MAXIMUM_SIDE, MAXIMUM_SIDE)
# These words follow the level's name in our file names: `<level>.tileset.png`.
RESERVED_NAMES = frozenset({"tileset", "preview"})


def load_level(path: str | Path) -> LevelSpec:
    """Read and check a level spec file, and the hand edits beside it.

    It needs no exporter.yaml around it.

    Raises:
        SpecError: With every problem found; also when the file cannot be read.
    """
    path = Path(path)
    try:
        content = read_input(path, MAXIMUM_SPEC_BYTES)
    except OSError as error:
        message = f"cannot be read ({error.strerror or error})"
        raise SpecError([Problem(message, str(path))]) from None
    spec = parse_level(content, str(path), path.parent)
    return with_edits(spec, read_edits(path))


def read_edits(path: Path) -> bytes | None:
    """Return the content of a spec's edits file; None if it has none.

    Args:
        path: The spec.

    Raises:
        SpecError: It cannot be read.
    """
    position = path.parent / edits_file(path.name)
    try:
        return read_input(position, MAXIMUM_EDITS_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        message = f"cannot be read ({error.strerror or error})"
        raise SpecError([Problem(message, str(position))]) from None


def with_edits(spec: LevelSpec, content: bytes | None) -> LevelSpec:
    """Return a spec with its hand edits.

    Args:
        spec: The spec.
        content: The content of its edits file; None without one.

    Raises:
        SpecError: The edits have faults.
    """
    if content is None:
        return spec
    from exporter.reading.edits import parse_edits

    return replace(spec, edits=parse_edits(content, edits_file(spec.document.file)))


def parse_level(content: bytes, file: str, folder: Path | None = None) -> LevelSpec:
    """Check the bytes of a level spec.

    Args:
        content: YAML or JSON, UTF-8.
        file: Name for messages; without `level:` the level is named after it.
        folder: Where file names in the spec are relative to.

    Raises:
        SpecError: With every problem found.
    """
    readable = read_as_far_as_good(content, file, folder)
    if readable.problems or readable.spec is None:
        raise SpecError(readable.problems)
    return readable.spec


@dataclass(frozen=True, slots=True)
class Readable:
    """The readable parts of a level spec.

    Attributes:
        spec: The spec, without its faulty parts; None if nothing could be read. With problems it
            must not be built: it only serves to find more of them.
        problems: Every problem found, in the order of the file.
    """

    spec: LevelSpec | None
    problems: tuple[Problem, ...]


def read_as_far_as_good(content: bytes, file: str, folder: Path | None = None) -> Readable:
    """Read a level spec as far as possible, with all its problems.

    Args:
        content: YAML or JSON, UTF-8.
        file: Name for messages; without `level:` the level is named after it.
        folder: Where file names in the spec are relative to.
    """
    try:
        document = read_document(content, file, allow_empty=False)
    except SpecError as error:
        return Readable(None, error.problems)
    return _Reading(document, folder).readable()


class _TooManyProblemsError(Exception):
    """Too many problems were found for more of them to help."""


class _Reading:
    """One pass over a document; problems are collected, not raised one by one.

    Faulty parts are left out of further checks, and so is all that depends on them: a wrong size is
    reported, but not that a maze does not fit it.
    """

    def __init__(self, document: Document, folder: Path | None) -> None:
        self.document = document
        self.folder = folder
        self.problems: list[Problem] = []
        # The size of each layer that could be read, and of the level; None for a size at fault.
        self.sizes: dict[str, Size | None] = {}
        self.size: Size | None = None
        # Whether the entries of `objects` have the same numbers as in the file.
        self.all_objects_read = True
        # The valid tables.
        self.good_tables: dict[str, TableParameters] = {}
        # The faults of tables that spawns found.
        self.table_faults: dict[tuple[str | None, ...], tuple[TableFault, ...]] = {}

    def readable(self) -> Readable:
        """Read the valid parts of the spec, and find all problems."""
        spec = None
        # Misleading scalars count, too, lest a file of them alone has endless problems.
        with suppress(_TooManyProblemsError):
            spec = self._spec()
        return Readable(spec, tuple(settled(self.document, self.problems)[:MAXIMUM_PROBLEMS]))

    def _spec(self) -> LevelSpec | None:
        data = self.document.data
        if data is None:
            self._note(
                (), "there is no level here (needs size and layers; begin with `size: [64, 40]`)"
            )
            return None
        outer = self._outer(data)
        if outer is None:
            return None
        read = outer.value
        assert read is not None, "every key has a default or a stand-in"
        self.size = read.size if outer.has("size") else None
        layers = self._layers()
        mission = self._mission(read)
        declared = self._declared(layers, mission)
        # Objects are drawn from tables.
        tables = self._tables()
        spec = LevelSpec(
            level=self._name(read) if outer.has("level") else "",
            size=read.size,
            seed=0 if isinstance(read.seed, SeedSearch) else read.seed,
            rng=read.rng,
            layers=layers,
            visibility=read.visibility,
            objects=self._objects(declared, layers),
            tables=tables,
            puzzles=self._puzzles(),
            require=read.require,
            tileset=self._tileset(read),
            properties=plain_values(read.properties),
            document=self.document,
            folder=self.folder,
            search=read.seed if isinstance(read.seed, SeedSearch) else None,
            limits=self._limits(data.get("require"), LevelRequirements, ("require",)),
            budget=read.budget,
            chunk=read.chunk,
            mission=mission,
        )
        good = {key for key in ("seed", "rng") if outer.has(key)}
        if self.all_objects_read:
            good.add("objects")
        if spec.search is not None and "seed" in good:
            self._add(*search_problems(spec, declared.objects, sight=declared.sight))
        for spec_check in SPEC_CHECKS:
            if good.issuperset(spec_check.needs):
                for path, message in spec_check.problems(spec, declared):
                    self._note((*spec_check.section, *path), message, at_key=spec_check.at_key)
        return spec

    def _outer(self, data: Any) -> PartialSpec[LevelDocument] | None:
        """Read the valid outer keys; None if the file is no mapping."""
        stand_ins = {"size": [1, 1]}
        plain = data
        if isinstance(data, dict) and "require" in data:
            plain = {**data, "require": plain_part(data["require"], LevelRequirements)}
        outer = parse_partial(LevelDocument, plain, self.document, (), stand_ins)
        misplaced = self._misplaced(data)
        self._add(
            *(
                problem
                for problem in outer.problems
                if (problem.line, problem.column) not in misplaced
            )
        )
        for (line, column), message in misplaced.items():
            if message:
                mark = Mark(line - 1, column - 1)
                self._add(self.document.problem_at(mark, message))
        return outer if isinstance(data, dict) else None

    def _misplaced(self, data: Any) -> dict[tuple[int, int], str]:
        """Find layers at the left margin, by the place of their key.

        The empty `layers:` above them is then not reported.
        """
        if not isinstance(data, dict) or data.get("layers") not in (None, {}):
            return {}
        result = {}
        known = known_keys(LevelDocument, ())
        for key, value in data.items():
            if key not in known and isinstance(value, dict) and "generator" in value:
                problem = self.document.problem((key,), "", at_key=True)
                result[(problem.line, problem.column)] = (
                    f"the layer {key!r} belongs inside `layers:` (indent all its lines by 2 spaces)"
                )
        if result and "layers" in data:
            problem = self.document.problem(("layers",), "")
            result[(problem.line, problem.column)] = ""
            doubt = self.document.doubts.pop(("layers",), None)
            self.document.problems = [item for item in self.document.problems if item is not doubt]
        return result

    def _check(self, kind: type[Any], data: Any, path: ValuePath) -> Any:
        checked, problems = check(kind, data, self.document, path)
        self._add(*problems)
        return checked

    def _note(self, path: ValuePath, message: str, *, at_key: bool = False) -> None:
        self._add(self.document.problem(path, message, at_key=at_key))

    def _add(self, *problems: Problem) -> None:
        self.problems += problems
        if len(self.problems) + len(self.document.problems) > MAXIMUM_PROBLEMS:
            raise _TooManyProblemsError

    def _entries(self, key: str) -> dict[str, Any]:
        """Return the named entries of an outer key, also faulty ones."""
        entries = self.document.data.get(key)
        return entries if isinstance(entries, dict) else {}

    def _declared(
        self, layers: dict[str, LayerSpec], mission: MissionParameters | None
    ) -> Declared:
        objects = self.document.data.get("objects")
        listed = objects if isinstance(objects, list) else []
        names = [item["name"] for item in listed if isinstance(item, dict) and "name" in item]
        return Declared(
            layers=tuple(self._entries("layers")),
            all_read=len(layers) == len(self._entries("layers"))
            and self.document.data.get("layers", {}) == self._entries("layers"),
            objects=names_of(map(str, names), layers, mission),
            sight="visibility" in self.document.data,
            size=self.size,
            sizes=self.sizes,
            late=late_layers(layers),
            roles=layer_roles(layers),
        )

    def _name(self, outer: LevelDocument) -> str:
        name = outer.level if outer.level is not None else default_name(self.document.file)
        path: ValuePath = ("level",) if outer.level is not None else ()
        if not re.fullmatch(NAME_PATTERN, name):
            self._note(path, f"{name!r} cannot name a level ({NAME_RULE}); set `level:`")
        elif DEVICE_NAMES.fullmatch(name):
            self._note(path, f"{name!r} is a device name on Windows (choose another)")
        return name

    def _layers(self) -> dict[str, LayerSpec]:
        layers: dict[str, LayerSpec] = {}
        folded: dict[str, str] = {}
        for name, data in self._entries("layers").items():
            path: ValuePath = ("layers", name)
            if name.lower() in folded:
                other = folded[name.lower()]
                self._note(path, f"{name!r} differs from {other!r} only in case", at_key=True)
            folded[name.lower()] = name
            if name.lower() in RESERVED_NAMES:
                self._note(path, f"{name!r} cannot name a layer (reserved for files)", at_key=True)
            self.sizes[name] = None
            layer = self._layer(name, data, path) if isinstance(data, dict) else None
            if layer is not None:
                layers[name] = layer
        return layers

    def _layer(self, name: str, data: dict[str, Any], path: ValuePath) -> LayerSpec | None:
        if "generator" not in data:
            self._no_generator(name, data, path)
            return None
        common_names = known_keys(LayerOptions, ())
        common = {key: value for key, value in data.items() if key in common_names}
        if "require" in common:
            common["require"] = plain_part(common["require"], Requirements)
        options = parse_partial(LayerOptions, common, self.document, path)
        self._add(*options.problems)
        limits = self._limits(data.get("require"), Requirements, (*path, "require"))
        if not isinstance(data["generator"], str):
            return None
        generator = self._registered(GENERATORS, data["generator"], (*path, "generator"))
        if generator is None:
            return None
        own_names = known_keys(generator.parameters, ())
        own = {key: data[key] for key in data if key in own_names and key not in common_names}
        for key in data:
            if key not in own_names and key not in common_names:
                self._unknown_of_layer(key, generator.parameters, path)
        parameters: PartialSpec[Any] | None = None
        with self._failures_reported(GENERATORS, generator.name, (*path, "generator")):
            parameters = parse_partial(generator.parameters, own, self.document, path)
            self._add(*parameters.problems)
            value_key(parameters.value)  # every layer is kept under the key of its parameters
            if options.has("size") and options.value is not None:
                self.sizes[name] = options.value.size or self.size
            if not parameters.lost and parameters.value is not None:
                self._consistent(parameters.value, self.sizes[name], path)
        if options.value is None or parameters is None or parameters.value is None:
            return None
        recipe = options.value.recipe
        if recipe is not None and recipe != generator.version:
            self._note(
                (*path, "recipe"),
                f"recipe {recipe} of {generator.name!r} does not exist "
                f"(this exporter has {generator.version})",
            )
        return LayerSpec(name, options.value, parameters.value, limits)

    def _limits(
        self, data: Any, kind: type[Requirements], path: ValuePath
    ) -> tuple[MetricLimit, ...]:
        """Read the valid limits for metrics in `require`."""
        limits, problems = read_limits(data, kind, self.document, path)
        self._add(*problems)
        return limits

    def _no_generator(self, name: str, data: dict[str, Any], path: ValuePath) -> None:
        """Report why a layer has no generator: misspelled, or no layer at all."""
        if name in known_keys(LevelDocument, ()):
            message = f"`{name}:` is a key of the level, not a layer (begin it at the left margin)"
            self._note(path, message, at_key=True)
            return
        meant = []
        for key in islice(data, MAXIMUM_PROBLEMS):
            words = suggestions(key, ["generator"], other_words(LayerOptions))
            if words or key.startswith("generator:"):
                meant.append(key)
        for key in meant[:1]:
            self._note((*path, key), unknown_key(key, LayerOptions), at_key=True)
        if not meant:
            hint = hint_at(LayerOptions, ("generator",))
            self._note(path, missing_key("generator", hint))

    def _unknown_of_layer(self, key: str, parameters: type[Any], path: ValuePath) -> None:
        message = unknown_key(key, parameters, further=[LayerOptions])
        if key in known_keys(LevelDocument, ()):
            message = f"{key!r} is a key of the level, not of a layer (begin it at the left margin)"
        if key in GIVING:
            message = no_given_cells(key)
        self._note((*path, key), message, at_key=True)

    def _consistent(self, parameters: Parameters, size: Size | None, path: ValuePath) -> None:
        """Check parameters among each other, and for a size if known."""
        try:
            parameters.check(*(size or _ANY_SIZE))
        except ParameterError as error:
            inside = (*path, *error.path)
            if error.path == ("size",) and self.document.get(inside) is None:
                inside = error.path  # the level's size, at the top of the spec
            self._note(inside, error.message)

    def _registered(self, registry: Registry[Any], name: str, path: ValuePath) -> Any:
        try:
            return registry.get(name)
        except RegistryError as error:
            self._note(path, str(error))
            return None

    @contextmanager
    def _failures_reported(
        self, registry: Registry[Any], name: str, path: ValuePath
    ) -> Iterator[None]:
        """Report exceptions of another package's parameters; ours are bugs."""
        try:
            yield
        except _TooManyProblemsError:
            raise
        except Exception as error:
            if registry.origin(name) is None:
                raise
            self._note(path, registry.failure(name, error))

    def _objects(self, declared: Declared, layers: dict[str, LayerSpec]) -> tuple[Any, ...]:
        listed = self.document.data.get("objects")
        if not isinstance(listed, list) or not listed:
            return ()
        from exporter.placement.parameters import ObjectParameters, fixed_places

        checked = []
        for index, data in enumerate(listed):
            path: ValuePath = ("objects", index)
            if not isinstance(data, dict):
                self.all_objects_read = False
                continue
            read = parse_partial(ObjectParameters, data, self.document, path)
            self._add(*read.problems)
            if read.value is None:
                self.all_objects_read = False
                continue
            checked.append(read.value)
            if not read.lost:
                self._consistent(read.value, self.size, path)
            for parameter, message in object_problems(read.value, declared):
                self._note((*path, *parameter), message)
            if read.has("layer"):
                for parameter, message in standing_problems(read.value, layers, declared):
                    self._note((*path, *parameter), message)
            if read.value.spawn is not None:
                self._check_spawn(index, read.value, "count" in data)
        if self.all_objects_read:
            self._attempt(("objects",), fixed_places, checked)
        return tuple(checked)

    def _check_spawn(self, index: int, one: ObjectParameters, has_count: bool) -> None:
        """Check objects that are drawn from a table, with the table.

        Args:
            index: Their place in `objects`.
            one: The objects.
            has_count: Whether they have a `count`, be it the default.
        """
        from exporter.placement.parameters import NO_COUNT
        from exporter.reading.spawn_tables import spawn_table_problems

        if has_count:
            self._note(("objects", index, "count"), NO_COUNT)
        tables, names = self.good_tables, tuple(self._entries("tables"))
        result = spawn_table_problems(index, one, tables, names, self.table_faults)
        for path, message in result:
            self._note(path, message)

    def _tables(self) -> dict[str, Any]:
        if not self._entries("tables"):
            return {}
        from exporter.model.tables.table import TableParameters, build_table

        tables: dict[str, Any] = {}
        for name, data in self._entries("tables").items():
            path: ValuePath = ("tables", name)
            if name.lower() in RESERVED_NAMES:
                self._note(path, f"{name!r} cannot name a table (reserved for files)", at_key=True)
            if not isinstance(data, dict):
                continue
            parameters = self._check(TableParameters, data, path)
            if parameters is not None:
                # Rows are checked against their columns here, so that `check` sees them too.
                if self._attempt(path, build_table, name, parameters):
                    self.good_tables[name] = parameters
                tables[name] = parameters
        return tables

    def _attempt(self, path: ValuePath, step: Callable[..., Any], *arguments: Any) -> bool:
        """Take a step and note its problem. Return whether it succeeded."""
        try:
            step(*arguments)
        except ParameterError as error:
            self._note((*path, *error.path), error.message)
            return False
        return True

    def _puzzles(self) -> dict[str, PuzzleSpec]:
        if not self._entries("puzzles"):
            return {}
        from exporter.puzzles import PUZZLES

        puzzles: dict[str, PuzzleSpec] = {}
        for name, data in self._entries("puzzles").items():
            path: ValuePath = ("puzzles", name)
            if not isinstance(data, dict):
                continue
            kind = data.get("kind")
            if not isinstance(kind, str):
                self._note(path, "'kind' is missing here" if kind is None else "kind must be text")
                continue
            entry = self._registered(PUZZLES, kind, (*path, "kind"))
            if entry is None:
                continue
            own = {key: value for key, value in data.items() if key != "kind"}
            with self._failures_reported(PUZZLES, kind, (*path, "kind")):
                parameters = self._check(entry.parameters, own, path)
                value_key(parameters)
                if parameters is not None:
                    self._consistent(parameters, self.size, path)
                    puzzles[name] = PuzzleSpec(name, kind, parameters)
        return puzzles

    def _mission(self, outer: LevelDocument) -> MissionParameters | None:
        if outer.mission is None:
            return None
        from exporter.missions.parameters import MissionParameters

        mission: MissionParameters | None = self._check(
            MissionParameters, outer.mission, ("mission",)
        )
        if mission is not None:
            self._consistent(mission, self.size, ("mission",))
        return mission

    def _tileset(self, outer: LevelDocument) -> Any:
        if outer.tileset is None:
            return None
        from exporter.model.tileset import TilesetOptions
        from exporter.tilesets.styles import STYLES

        options = self._check(TilesetOptions, outer.tileset, ("tileset",))
        if options is not None and options.style is not None:
            self._registered(STYLES, options.style, ("tileset", "style"))
            if options.image is not None:
                message = "style is for drawn tiles, not for an image (remove style, or image)"
                self._note(("tileset", "style"), message)
        if options is not None and options.targets:
            options = replace(options, targets=self._target_tilesets(options.targets))
        return options

    def _target_tilesets(self, given: Mapping[str, Any]) -> dict[str, Parameters | None]:
        """Check the tilesets that the team keeps by hand, by engine."""
        from exporter.targets import TARGETS

        checked: dict[str, Parameters | None] = {}
        for name, data in given.items():
            path: ValuePath = ("tileset", "targets", name)
            try:
                entry = TARGETS.get(name)
            except RegistryError as error:
                self._note(path, str(error), at_key=True)
                continue
            if entry.tileset is None:
                message = f"levels for {entry.title} cannot have a tileset of the team's"
                self._note(path, message, at_key=True)
            elif data is None:
                checked[name] = None
            else:
                with self._failures_reported(TARGETS, name, path):
                    tileset = self._check(entry.tileset, data, path)
                    value_key(tileset)
                    if tileset is not None:
                        checked[name] = tileset
        return checked
