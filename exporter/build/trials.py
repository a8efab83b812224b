"""Build and measure many levels of one spec, as far as metrics need.

A search builds thousands of levels, so the spec is read once, and what no metric reads is left out,
such as layers without a role, puzzles and pictures. The rest is built by the same steps as any
level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from exporter.build.dependencies import prune_to_dependencies
from exporter.build.requirements import UnmetError, check_blob
from exporter.measures import Number
from exporter.measures.measuring import value_of
from exporter.measures.names import NamedMetric
from exporter.model.errors import NotMeasurableError, ParameterError, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.reading.level_spec import LevelSpec
from exporter.streams import derive_key

if TYPE_CHECKING:
    from exporter.build.inputs import Question
    from exporter.measures.measured import Measured
    from exporter.model.level import Level

# Seeds of candidates have 31 bits: every stream accepts them, and users can copy them easily.
_SEED_BITS = 31
MAXIMUM_SEED = (1 << _SEED_BITS) - 1

# A layer, its varied parameter, and the value in one level.
Setting = tuple[str, str, Any]


class SingleBuild(Protocol):
    """The build of one level, as `exporter.build.build.Build` does it."""

    def prepare(self) -> None:
        """Build the layers, objects and puzzles of the level."""

    def level(self) -> tuple[Level, tuple[Question, ...]]:
        """Return the finished level, and all reads from which it was assembled.

        A read is the name of an input.
        """

    def measured(self) -> Measured:
        """Return the level in the form from which metrics are computed."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The metrics of one level, or the reason why they are unknown.

    Attributes:
        values: The metrics in the requested order; None if the level failed.
        failure: Why the level could not be built or measured, or which requirement it does not
            meet; else empty.
        distance: How far a built level is from meeting its requirements: the differences to the
            limits, as shares of the greater value, added up. None if unknown.
    """

    values: tuple[Number, ...] | None
    failure: str = ""
    distance: float | None = None

    @classmethod
    def unmet(cls, error: UnmetError) -> Attempt:
        """Return the attempt of a level that does not meet its requirements."""
        reason = ", ".join(problem.message for problem in error.problems)
        return cls(None, reason, error.distance)


class Trials:
    """Builds and measures levels of one spec with varied seeds and parameters.

    Args:
        spec: The checked spec.
        metrics: The metrics to compute.
        build: Returns a new build of one level, from its spec and the folder of its input files.
        root: The folder that input files must lie in; None for the spec's own folder.
        whole: Whether to build everything that an export builds, to find all errors, and to check
            the blob against the spec's budget.
        all_layers: Whether to leave no layer out, in case varied parameters change which layers are
            needed.
    """

    def __init__(
        self,
        spec: LevelSpec,
        metrics: Sequence[NamedMetric],
        build: Callable[[LevelSpec, Path | None], SingleBuild],
        root: Path | None = None,
        *,
        whole: bool = False,
        all_layers: bool = False,
    ) -> None:
        self._build = build
        self.metrics = tuple(metrics)
        self.root = root
        self._whole = whole
        self._of_level = any("level" in metric.metric.needs for metric in metrics)
        self.spec = spec if whole else prune_to_dependencies(spec, metrics, all_layers=all_layers)

    def level_spec(self, seed: int, settings: Iterable[Setting] = ()) -> LevelSpec:
        """Return the spec with `seed` and with the varied `settings` applied.

        A setting is (layer, parameter, value). Settings of layers that no metric needs have no
        effect.

        Raises:
            SpecError: The parameters do not fit each other.
        """
        remaining = [setting for setting in settings if setting[0] in self.spec.layers]
        return varied(self.spec, seed, remaining)

    def run(self, seed: int, settings: Iterable[Setting] = ()) -> Attempt:
        """Build and measure the level with `seed` and the varied `settings`.

        A setting is (layer, parameter, value). Failures are in the result, not raised.
        """
        try:
            build = self._build(self.level_spec(seed, settings), self.root)
            build.prepare()
            if self._of_level:
                build.level()
            if self._whole and self.spec.budget is not None:
                check_blob(self.spec, build.level()[0])
            measured = build.measured()
            return Attempt(tuple(value_of(metric, measured) for metric in self.metrics))
        except UnmetError as error:
            return Attempt.unmet(error)
        except SpecError as error:
            return Attempt(None, error.problems[0].message)
        except (NotMeasurableError, ParameterError) as error:
            return Attempt(None, error.message)


def candidate_seed(level: str, number: int) -> int:
    """Return the seed of candidate `number` (from 0) of the level `level`.

    It is a 31-bit hash of both; different numbers below 2**31 have different seeds.
    """
    key = derive_key(("candidates", level))
    value = (number ^ key) & MAXIMUM_SEED
    # Each step can be undone, so no two numbers meet.
    for shift, factor in ((16, key >> 32 | 1), (15, 0x2C1B3C6D), (16, 0x297A2D39)):
        value ^= value >> shift
        value = value * factor & MAXIMUM_SEED
    return value ^ value >> 15


def varied(spec: LevelSpec, seed: int | str, settings: Iterable[Setting] = ()) -> LevelSpec:
    """Return `spec` with another `seed`, and with `settings` applied.

    A setting is (layer, parameter, value).

    Raises:
        SpecError: The parameters do not fit each other, or the size.
    """
    layers = dict(spec.layers)
    for name, parameter, value in settings:
        layer = layers[name]
        layers[name] = replace(layer, parameters=replace(layer.parameters, **{parameter: value}))
    changed = replace(spec, seed=seed, search=None, layers=layers)
    for name in dict.fromkeys(name for name, _, _ in settings):
        try:
            layers[name].parameters.check(*(layers[name].options.size or spec.size))
        except ParameterError as error:
            raise spec.error(("layers", name, *error.path), error.message) from None
    return changed


def values_by_name(metrics: Sequence[NamedMetric], values: Sequence[Number]) -> dict[str, Number]:
    """Return the `values` of `metrics`, which are in the same order, by name."""
    return {str(metric): value for metric, value in zip(metrics, values, strict=True)}
