"""Reads the bytes of a level spec into a checked `LevelSpec`, or reports every problem at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any

from exporter.generators import GENERATORS
from exporter.model.errors import ParameterError, Problem, RegistryError, SpecError
from exporter.model.input_files import read_input
from exporter.model.keys import value_key
from exporter.model.limits import (
    MAXIMUM_CELLS,
    MAXIMUM_PROBLEMS,
    MAXIMUM_SPEC_BYTES,
    MAXIMUM_TOTAL_CELLS,
)
from exporter.model.parameters import DEVICE_NAMES, NAME_PATTERN, NAME_RULE, Parameters
from exporter.model.registry import Registry
from exporter.reading.document import Document, read_document
from exporter.reading.document import Path as ValuePath
from exporter.reading.former import former_names
from exporter.reading.level_spec import (
    LayerOptions,
    LayerSpec,
    LevelDocument,
    LevelSpec,
    PuzzleSpec,
)
from exporter.reading.names import default_name
from exporter.reading.references import (
    late_layers,
    reference_problems,
    sight_problem,
    standing_problem,
)
from exporter.reading.validation import check, known_keys, unknown_key

# These words follow the level's name in file names of our own: `<level>.tileset.png`.
RESERVED_NAMES = frozenset({"tileset", "preview"})


def load_level(path: str | Path) -> LevelSpec:
    """Read and check a level spec file; it needs no exporter.yaml around it.

    Raises:
        SpecError: With every problem found; also when the file cannot be read.
    """
    path = Path(path)
    try:
        content = read_input(path, MAXIMUM_SPEC_BYTES)
    except OSError as error:
        message = f"cannot be read ({error.strerror or error})"
        raise SpecError([Problem(message, str(path))]) from None
    return parse_level(content, str(path), path.parent)


def parse_level(content: bytes, file: str, folder: Path | None = None) -> LevelSpec:
    """Check the bytes of a level spec.

    Args:
        content: YAML or JSON, UTF-8.
        file: Name for messages; without `level:` the level is named after it.
        folder: Where file names in the spec are relative to.

    Raises:
        SpecError: With every problem found.
    """
    document = read_document(content, file)
    return _Reading(document, folder).spec()


def distinct(problems: list[Problem]) -> list[Problem]:
    """Keep the first problem of each place, in the order of the file.

    A misleading scalar is often of the wrong type, too; one problem for each position is enough.
    """
    places: dict[tuple[int, int], Problem] = {}
    for problem in problems:
        places.setdefault((problem.line, problem.column), problem)
    return [places[place] for place in sorted(places)]


class _TooManyProblemsError(Exception):
    """So many problems were found that looking for more would help nobody."""


class _Reading:
    """One pass over a document; problems are collected, not raised one by one."""

    def __init__(self, document: Document, folder: Path | None) -> None:
        self.document = document
        self.folder = folder
        self.problems: list[Problem] = list(document.problems)

    def spec(self) -> LevelSpec:
        """Return the checked spec.

        Raises:
            SpecError: With the problems found, as many as are told at once.
        """
        try:
            return self._spec()
        except _TooManyProblemsError:
            raise SpecError(distinct(self.problems)[:MAXIMUM_PROBLEMS]) from None

    def _spec(self) -> LevelSpec:
        data = self.document.data
        if data is None:
            raise SpecError(
                [self.document.problem((), "the file is empty (needs size and layers)")]
            )
        outer = self._check(LevelDocument, data, ())
        if outer is None:
            # The outer keys are wrong somewhere; what stands below good ones is still checked.
            outer = LevelDocument(size=(1, 1), **self._readable(data))
        layers = self._layers(outer)
        spec = LevelSpec(
            level=self._name(outer),
            size=outer.size,
            seed=outer.seed,
            rng=outer.rng,
            layers=layers,
            visibility=outer.visibility,
            objects=self._objects(outer, late_layers(layers)),
            tables=self._tables(outer),
            puzzles=self._puzzles(outer),
            require=outer.require,
            tileset=self._tileset(outer),
            properties=outer.properties,
            document=self.document,
            folder=self.folder,
        )
        self._check_size(outer)
        self._check_seed(outer)
        self._check_visibility(spec)
        for path, message in reference_problems(spec, outer):
            self._note(path, message)
        if self.problems:
            raise SpecError(distinct(self.problems))
        return spec

    def _check(self, kind: type[Any], data: Any, path: ValuePath) -> Any:
        checked, problems = check(kind, data, self.document, path)
        self._add(*problems)
        return checked

    def _note(self, path: ValuePath, message: str, *, at_key: bool = False) -> None:
        self._add(self.document.problem(path, message, at_key=at_key))

    def _add(self, *problems: Problem) -> None:
        self.problems += problems
        if len(self.problems) > MAXIMUM_PROBLEMS:
            raise _TooManyProblemsError

    @staticmethod
    def _readable(data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            return {}
        readable: dict[str, Any] = {}
        for key in ("layers", "tables", "puzzles"):
            if isinstance(data.get(key), dict):
                readable[key] = {k: v for k, v in data[key].items() if isinstance(v, dict)}
        return readable

    def _name(self, outer: LevelDocument) -> str:
        name = outer.level if outer.level is not None else default_name(self.document.file)
        path: ValuePath = ("level",) if outer.level is not None else ()
        if not re.fullmatch(NAME_PATTERN, name):
            self._note(path, f"{name!r} cannot name a level ({NAME_RULE}); set `level:`")
        elif DEVICE_NAMES.fullmatch(name):
            self._note(path, f"{name!r} is a device name on Windows (choose another)")
        return name

    def _layers(self, outer: LevelDocument) -> dict[str, LayerSpec]:
        layers: dict[str, LayerSpec] = {}
        folded: dict[str, str] = {}
        for name, data in outer.layers.items():
            path: ValuePath = ("layers", name)
            if name.lower() in folded:
                other = folded[name.lower()]
                self._note(path, f"{name!r} differs from {other!r} only in case", at_key=True)
            folded[name.lower()] = name
            if name.lower() in RESERVED_NAMES:
                self._note(path, f"{name!r} cannot name a layer (reserved for files)", at_key=True)
            layer = self._layer(name, data, path, outer.size)
            if layer is not None:
                layers[name] = layer
        return layers

    def _layer(
        self, name: str, data: dict[str, Any], path: ValuePath, size: tuple[int, int]
    ) -> LayerSpec | None:
        common_names = known_keys(LayerOptions, ())
        common = {key: value for key, value in data.items() if key in common_names}
        options = self._check(LayerOptions, common, path)
        if not isinstance(data.get("generator"), str):
            return None
        generator = self._registered(GENERATORS, data["generator"], (*path, "generator"))
        if generator is None:
            return None
        own_names = known_keys(generator.parameters, ())
        own_or_former = {*own_names, *former_names(generator.parameters)}
        own = {key: data[key] for key in data if key in own_or_former and key not in common_names}
        for key in data:
            if key not in own_or_former and key not in common_names:
                allowed = [*own_names, *common_names]
                self._note((*path, key), unknown_key(key, allowed), at_key=True)
        parameters: Any = None
        with self._failures_told(GENERATORS, generator.name, (*path, "generator")):
            parameters = self._check(generator.parameters, own, path)
            value_key(parameters)  # every layer is kept under the key of its parameters
            if options is not None and parameters is not None:
                width, height = options.size or size
                self._consistent(parameters, width, height, path)
        if options is None or parameters is None:
            return None
        if options.recipe is not None and options.recipe != generator.version:
            self._note(
                (*path, "recipe"),
                f"recipe {options.recipe} of {generator.name!r} does not exist "
                f"(this exporter has {generator.version})",
            )
        return LayerSpec(name, options, parameters)

    def _consistent(self, parameters: Parameters, width: int, height: int, path: ValuePath) -> None:
        try:
            parameters.check(width, height)
        except ParameterError as error:
            inside = (*path, *error.path)
            if error.path == ("size",) and self.document.get(inside) is None:
                inside = error.path  # the level's size, which stands at the top of the spec
            self._note(inside, error.message)

    def _registered(self, registry: Registry[Any], name: str, path: ValuePath) -> Any:
        try:
            return registry.get(name)
        except RegistryError as error:
            self._note(path, str(error))
            return None

    @contextmanager
    def _failures_told(self, registry: Registry[Any], name: str, path: ValuePath) -> Iterator[None]:
        """Note failures in the parameters of another package's entry; those of ours are bugs."""
        try:
            yield
        except Exception as error:
            if registry.origin(name) is None:
                raise
            self._note(path, registry.failure(name, error))

    def _objects(self, outer: LevelDocument, late: frozenset[str]) -> tuple[Any, ...]:
        if not outer.objects:
            return ()
        from exporter.placement.parameters import ObjectParameters
        from exporter.placement.placing import placing_order

        checked = []
        for index, data in enumerate(outer.objects):
            path: ValuePath = ("objects", index)
            parameters = self._check(ObjectParameters, data, path)
            if parameters is None:
                continue
            checked.append(parameters)
            self._consistent(parameters, *outer.size, path)
            message = standing_problem(parameters.layer, outer, late)
            if message:
                self._note((*path, "layer"), message)
        if len(checked) == len(outer.objects):
            self._attempt(("objects",), placing_order, checked)
        return tuple(checked)

    def _tables(self, outer: LevelDocument) -> dict[str, Any]:
        if not outer.tables:
            return {}
        from exporter.tables.table import TableParameters, build_table

        tables: dict[str, Any] = {}
        for name, data in outer.tables.items():
            path: ValuePath = ("tables", name)
            if name.lower() in RESERVED_NAMES:
                self._note(path, f"{name!r} cannot name a table (reserved for files)", at_key=True)
            parameters = self._check(TableParameters, data, path)
            if parameters is not None:
                # Rows are checked against their columns here, so that `check` sees them too.
                self._attempt(path, build_table, name, parameters)
                tables[name] = parameters
        return tables

    def _attempt(self, path: ValuePath, step: Callable[..., Any], *arguments: Any) -> None:
        try:
            step(*arguments)
        except ParameterError as error:
            self._note((*path, *error.path), error.message)

    def _puzzles(self, outer: LevelDocument) -> dict[str, PuzzleSpec]:
        if not outer.puzzles:
            return {}
        from exporter.puzzles import PUZZLES

        puzzles: dict[str, PuzzleSpec] = {}
        for name, data in outer.puzzles.items():
            path: ValuePath = ("puzzles", name)
            kind = data.get("kind")
            if not isinstance(kind, str):
                self._note(path, "'kind' is missing here" if kind is None else "kind must be text")
                continue
            entry = self._registered(PUZZLES, kind, (*path, "kind"))
            if entry is None:
                continue
            own = {key: value for key, value in data.items() if key != "kind"}
            with self._failures_told(PUZZLES, kind, (*path, "kind")):
                parameters = self._check(entry.parameters, own, path)
                value_key(parameters)
                if parameters is not None:
                    self._consistent(parameters, *outer.size, path)
                    puzzles[name] = PuzzleSpec(name, kind, parameters)
        return puzzles

    def _tileset(self, outer: LevelDocument) -> Any:
        if outer.tileset is None:
            return None
        from exporter.model.tileset import TilesetOptions

        return self._check(TilesetOptions, outer.tileset, ("tileset",))

    def _check_size(self, outer: LevelDocument) -> None:
        total = 0
        for name, data in {"": {"size": outer.size}, **outer.layers}.items():
            size = data.get("size", outer.size)
            if not (isinstance(size, list | tuple) and all(isinstance(n, int) for n in size)):
                continue
            cells = prod(max(side, 1) for side in size)
            path: ValuePath = ("layers", name, "size") if name else ("size",)
            if cells > MAXIMUM_CELLS:
                self._note(path, f"{cells} cells are too many (allowed: {MAXIMUM_CELLS})")
            total += min(cells, MAXIMUM_CELLS) if name else 0
        if total > MAXIMUM_TOTAL_CELLS:
            message = f"all layers together have {total} cells (allowed: {MAXIMUM_TOTAL_CELLS})"
            self._note(("layers",), message)

    def _check_seed(self, outer: LevelDocument) -> None:
        if outer.rng != "dotnet":
            return
        if not isinstance(outer.seed, int) or not -(1 << 31) <= outer.seed < 1 << 31:
            path: ValuePath = ("seed",) if "seed" in self.document.data else ("rng",)
            self._note(path, "rng dotnet needs a whole number of 32 bits as its seed")

    def _check_visibility(self, spec: LevelSpec) -> None:
        visibility = spec.visibility
        if visibility is None:
            return
        from exporter.visibility.algorithms import ALGORITHMS

        rule = self._registered(ALGORITHMS, visibility.algorithm, ("visibility", "algorithm"))
        data_layers = self.document.data.get("layers") or {}
        message = sight_problem(visibility.layer, spec, list(data_layers))
        if message:
            self._note(("visibility", "layer"), message)
        if visibility.see_walls and rule is not None and not rule.optional_walls:
            having = [n for n in ALGORITHMS.built_in() if ALGORITHMS.get(n).optional_walls]
            message = f"see_walls is only for {', '.join(f'`{n}`' for n in having)}"
            self._note(("visibility", "see_walls"), message)
        if not data_layers:
            self._note(("visibility",), "visibility needs a tile layer")
