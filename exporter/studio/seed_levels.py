"""Build, measure and draw the levels of a contact sheet.

This runs in another process. Metrics, conditions, varied parameters and requirements are those of
the command `exporter seeds`. The field of view is computed only if a metric needs it. A level that
breaks a requirement of its spec is shown with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from exporter.build.build import Build
from exporter.build.costs import check_costs
from exporter.build.inputs import Inputs
from exporter.build.requirements import UnmetError, check_blob
from exporter.build.seed_search import miss_words
from exporter.build.trials import Setting, varied
from exporter.codecs import Limits
from exporter.explore.candidates import spread_candidate
from exporter.explore.cost_estimate import most_expensive_spec
from exporter.explore.search import Search, search_for
from exporter.explore.varying import GENE_BITS, VariedParameter, parse_varied
from exporter.export.events import is_complete
from exporter.measures.measured import Measured
from exporter.measures.measuring import value_of
from exporter.measures.names import NamedMetric, named_metrics
from exporter.model.errors import (
    BlobError,
    ExporterError,
    NotMeasurableError,
    ParameterError,
    SpecError,
)
from exporter.model.expression_tree import NoValueError
from exporter.model.expressions import Expression, ExpressionError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.packs.pack import Pack, open_pack
from exporter.reading.level_spec import LevelSpec, seed_problem
from exporter.reading.reader import parse_level, with_edits
from exporter.studio.cheap_metrics import cheap_metrics
from exporter.studio.events import SeedsEvent
from exporter.studio.exported import pack_state
from exporter.studio.frames import BinaryMessage
from exporter.studio.object_legend import build_order
from exporter.studio.problems import problem_fields
from exporter.studio.seed_pictures import Pixels, SmallPictures, small_shape
from exporter.studio.seed_tasks import (
    MAXIMUM_LEVELS,
    MAXIMUM_STEPS,
    Batch,
    Opened,
    SheetError,
    SheetTask,
)


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A level of a sheet that is to be built.

    Attributes:
        seed: The seed of the level.
        settings: The values of the varied parameters.
        column: The column of the level in a grid of parameter values; else 0.
        row: The row of the level in such a grid; else 0.
    """

    seed: int | str
    settings: tuple[Setting, ...] = ()
    column: int = 0
    row: int = 0


class PackSheet:
    """A sheet with those levels of a pack that meet the condition of `task`.

    The file is closed after each read, so that an export can replace it.

    Raises:
        SheetError: The pack cannot be read, or lacks a measure.
    """

    def __init__(self, task: SheetTask) -> None:
        self._task = task
        self._pictures = SmallPictures()
        with self._opened_pack() as pack:
            found = pack.find(task.where) if task.where else range(len(pack))
            self._numbers = list(found)[task.skip : task.skip + task.count]
            names = pack.metrics.dtype.names or ()
            self._metrics = {name: pack.metrics[name].tolist() for name in names}
            self._parameters = pack.parameters
            self._seeds = pack.seeds.tolist()

    def opened(self) -> Opened:
        """Return the sheet's first message, and the number of levels."""
        event: SeedsEvent = {
            "event": "seeds",
            "sheet": self._task.sheet,
            "count": len(self._numbers),
            "metrics": [*self._metrics],
            "asked": [],
            "parameters": [],
            "values": [],
            "pack": self._task.pack_state,
        }
        return Opened(len(self._numbers), event)

    def levels(self, numbers: Iterable[int]) -> Batch:
        """Read and draw the levels with the indexes `numbers` of the sheet."""
        indexes = [self._numbers[number] for number in numbers]
        with self._opened_pack() as pack:
            pictures = [self._pictures.of(pack[index]) for index in indexes]
        return _batch(self._task.sheet, [self._described(index) for index in indexes], pictures)

    def _described(self, index: int) -> dict[str, Any]:
        return {
            "number": index,
            "seed": self._seeds[index],
            "parameters": self._parameters[index],
            "column": 0,
            "row": 0,
            "metrics": {name: values[index] for name, values in self._metrics.items()},
            "failure": "",
            "miss": "",
            "complete": True,
            "warnings": [],
            "drawn": True,
        }

    @contextmanager
    def _opened_pack(self) -> Iterator[Pack]:
        assert self._task.pack is not None
        try:
            with open_pack(self._task.pack, Limits.for_strangers()) as pack:
                # Each process opens its own, and all show the same levels.
                if pack_state(self._task.pack) != self._task.pack_state:
                    raise SheetError("", "the pack was built again meanwhile (press Show levels)")
                yield pack
        except ExpressionError as error:
            raise SheetError("where", error.message, error.start, error.length) from None
        except (BlobError, OSError) as error:
            raise SheetError("", f"the pack cannot be read ({error})") from None


class Sheet:
    """A sheet of a draft's levels with other seeds or parameters.

    Raises:
        SheetError: The draft cannot be read, or the sheet is impossible.
    """

    def __init__(self, task: SheetTask) -> None:
        self.task = task
        self._pictures = SmallPictures()
        self.spec = _read(task)
        search = _search(task, self.spec)
        self.where: Expression | None = search.where
        self.requested = tuple(named_metrics(search.metrics)) if search.where is not None else ()
        reported = cheap_metrics(self.spec)
        self.metrics = tuple(dict.fromkeys([*reported, *self.requested]))
        self.values = _swept(task, search.varied)
        self.places = _swept_places(task, self.spec, search.varied, self.values)
        if not task.steps:
            self.places = _spread_places(task, self.spec, search.varied)

    def opened(self) -> Opened:
        """Return the sheet's first message, and the number of levels."""
        event: SeedsEvent = {
            "event": "seeds",
            "sheet": self.task.sheet,
            "count": len(self.places),
            "metrics": [str(metric) for metric in self.metrics],
            "asked": [str(item) for item in self.requested],
            "parameters": [text.partition("=")[0].strip() for text in self.task.vary],
            "values": self.values,
            "pack": "",
        }
        return Opened(len(self.places), event)

    def levels(self, numbers: Iterable[int]) -> Batch:
        """Build, measure and draw the levels with these `numbers` of the sheet."""
        described, pictures = [], []
        for number in numbers:
            fields, picture = self._level(number)
            described.append(fields)
            pictures.append(picture)
        return _batch(self.task.sheet, described, pictures)

    def _level(self, number: int) -> tuple[dict[str, Any], Pixels]:
        position = self.places[number]
        described: dict[str, Any] = {
            "number": number,
            "seed": position.seed,
            "parameters": {f"{layer}.{name}": value for layer, name, value in position.settings},
            "column": position.column,
            "row": position.row,
            "metrics": {},
            "failure": "",
            "miss": "",
            # Whether every request was fulfilled, and the unfulfilled ones.
            "complete": False,
            "warnings": [],
        }
        try:
            spec = varied(self.spec, position.seed, position.settings)
            picture, failure = self._built(spec, described)
        except SpecError as error:
            picture, failure = None, error.problems[0].message
        except ExporterError as error:
            picture, failure = None, str(error)
        described["failure"] = failure
        described["drawn"] = picture is not None
        blank = np.zeros(small_shape(*self.spec.size), np.uint8)
        return described, blank if picture is None else picture

    def _built(self, spec: LevelSpec, described: dict[str, Any]) -> tuple[Pixels | None, str]:
        """Build a level; return its picture (None without one), and why it failed.

        The reason is empty if the level did not fail. The metrics are written into `described`.
        """
        failure = ""
        for expected in (spec, spec.without_limits()):
            build = Build(expected, self.task.root)
            try:
                build.prepare()
                if expected.budget is not None:
                    check_blob(expected, build.level()[0])
            except UnmetError as error:
                failure = ", ".join(problem.message for problem in error.problems)
                continue
            if any("level" in item.metric.needs for item in self.requested):
                build.level()
            _record_completeness(described, build)
            measured = build.measured()
            described["metrics"] = _measured(self.metrics, measured)
            failure = failure or self._missed(described, measured)
            return self._pictures.of(_finished(build), build_order(build)), failure
        return None, failure

    def _missed(self, described: dict[str, Any], measured: Measured) -> str:
        """Set the `miss` of a described level: how far it is from `where`.

        `where` is the condition of the sheet; without one, nothing is set.

        Returns:
            Why the distance cannot be computed; empty if it can, or without a condition.
        """
        if self.where is None:
            return ""
        try:
            values = {str(item): value_of(item, measured) for item in self.requested}
            misses = self.where.misses(values)
        except (NotMeasurableError, ParameterError) as error:
            return error.message
        except NoValueError as error:
            return f"the condition has no value: {error}"
        described["miss"] = miss_words(misses, values)
        return ""


# --- requests -------------------------------------------------------------------------------------


def _read(task: SheetTask) -> LevelSpec:
    try:
        return with_edits(parse_level(task.content, task.file, task.folder), task.edits)
    except SpecError as error:
        raise _of_draft(error) from None


def _search(task: SheetTask, spec: LevelSpec) -> Search:
    """Return the search that `exporter seeds` would run; check its cost."""
    try:
        parameters = [parse_varied(text, spec) for text in task.vary]
    except ParameterError as error:
        raise SheetError("vary", error.message) from None
    try:
        search = search_for(
            spec, count=task.count, budget=task.count, where=task.where, varied=parameters
        )
    except ExpressionError as error:
        raise SheetError("where", error.message, error.start, error.length) from None
    except ParameterError as error:
        raise SheetError("vary", error.message) from None
    try:
        check_costs(most_expensive_spec(search)[0], task.max_seconds)
    except SpecError as error:
        raise _of_draft(error) from None
    return search


def _of_draft(error: SpecError) -> SheetError:
    return SheetError(
        "", "\n".join(str(problem_fields(problem)["text"]) for problem in error.problems)
    )


def _spread_places(
    task: SheetTask, spec: LevelSpec, parameters: Sequence[VariedParameter]
) -> list[SheetEntry]:
    """Return the levels that `exporter seeds` tries.

    If the task has a first seed, the levels have consecutive seeds instead.
    """
    result = []
    for number in range(task.skip, task.skip + task.count):
        candidate = spread_candidate(spec.level, number, len(parameters))
        genes = zip(parameters, candidate.genes, strict=True)
        seed = candidate.seed if task.first is None else task.first + number - task.skip
        result.append(SheetEntry(seed, tuple(item.setting(gene) for item, gene in genes)))
    return result


def _swept(task: SheetTask, parameters: Sequence[VariedParameter]) -> list[list[Any]]:
    """Return the values that each parameter takes in a grid of values.

    `task.steps` has how many values each takes; choices are all taken.
    """
    result: list[list[Any]] = []
    for parameter, steps in zip(parameters, task.steps, strict=False):
        last = (1 << GENE_BITS) - 1
        evenly = [parameter.value(last * step // (steps - 1)) for step in range(steps)]
        values = list(parameter.choices) if parameter.choices else list(dict.fromkeys(evenly))
        if len(values) > MAXIMUM_STEPS:
            raise SheetError(
                "vary", f"{parameter.name}: {len(values)} values (at most {MAXIMUM_STEPS})"
            )
        result.append(values)
    if len(result) == 2 and len(result[0]) * len(result[1]) > MAXIMUM_LEVELS:
        levels = len(result[0]) * len(result[1])
        raise SheetError("steps", f"the sweep has {levels} levels (allowed: 1 to {MAXIMUM_LEVELS})")
    return result


def _swept_places(
    task: SheetTask,
    spec: LevelSpec,
    parameters: Sequence[VariedParameter],
    values: list[list[Any]],
) -> list[SheetEntry]:
    """Return the levels of a grid of parameter values, row by row.

    The first parameter varies in a row. Return no levels if the sheet has no grid.
    """
    if not task.steps:
        return []
    seed = spec.seed if task.seed is None else task.seed
    problem = seed_problem(seed, spec.rng)
    if problem:
        raise SheetError("", problem)
    across = parameters[0]
    down = parameters[1] if len(parameters) > 1 else None
    result = []
    for row, other in enumerate(values[1] if down is not None else [None]):
        for column, value in enumerate(values[0]):
            settings: tuple[Setting, ...] = ((across.layer, across.parameter, value),)
            if down is not None:
                settings += ((down.layer, down.parameter, other),)
            result.append(SheetEntry(seed, settings, column, row))
    return result


# --- results --------------------------------------------------------------------------------------


def _batch(sheet: int, described: list[dict[str, Any]], pictures: list[Pixels]) -> Batch:
    frame = BinaryMessage()
    header = {
        "event": "seed-levels",
        "sheet": sheet,
        "levels": described,
        "width": pictures[0].shape[1],
        "height": pictures[0].shape[0],
        "pictures": frame.array(np.stack(pictures)),
    }
    matched = sum(1 for item in described if not item["failure"] and not item["miss"])
    failed = sum(1 for item in described if item["failure"])
    return Batch(frame.message(header), len(described), matched, failed)


def _measured(metrics: Iterable[NamedMetric], measured: Measured) -> dict[str, float]:
    """Return a level's values of `metrics` by name; leave out what it lacks."""
    result: dict[str, float] = {}
    for metric in metrics:
        try:
            result[str(metric)] = metric.value(measured)
        except (NotMeasurableError, ParameterError):
            # The condition covers the names in it.
            continue
    return result


def _record_completeness(described: dict[str, Any], build: Build) -> None:
    """Write into `described` whether a build is complete, and what it lacks."""
    layers = {name: {"complete": item.complete} for name, item in build.layers.items()}
    counts = {name: item.report() for name, item in build.object_counts().items()}
    described["complete"] = is_complete(layers, counts)
    described["warnings"] = [shortfall.message for shortfall in build.shortfalls()]


def _finished(build: Build) -> Level:
    """Return a build's level for drawing, without its field of view."""
    width, height = build.spec.size
    return Level(
        build.spec.level,
        width,
        height,
        layers=build.layers,
        objects=build.groups.all,
        tileset=Inputs(build.source).tileset(),
    )
