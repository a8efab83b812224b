"""Check a level's requirements as soon as the values they limit are known.

The limits of a layer are checked when the layer is built. Limits on the level's walkable cells are
checked when all layers and objects are finished, and limits on metrics of the whole level at the
end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from exporter.build import level_steps, results
from exporter.build.level_source import LevelSource
from exporter.build.requirements import (
    Breach,
    Distance,
    Figure,
    broken_limits,
    broken_metrics,
    unmet,
)
from exporter.build.stages import Stage, Stages
from exporter.model.errors import ParameterError, Problem
from exporter.model.level import Layer
from exporter.model.suggestions import unknown_name
from exporter.reading.level_spec import LayerSpec
from exporter.reading.limit_keys import MetricLimit
from exporter.reading.references import NO_WALKABLE_CELLS
from exporter.reading.yaml_reader import Path as ValuePath

# A requirement that is not met: its problem, with the line, and its breach.
Broken = tuple[Problem, Breach]


class LevelChecks:
    """Checks the requirements of one level while it is built.

    Args:
        source: Holds the finished layers and objects of the level.
        stages: Runs the stages, or returns their stored results.
        before_step: Called before each step, with the step's name and its path in the spec.
    """

    def __init__(
        self, source: LevelSource, stages: Stages, before_step: Callable[[str, ValuePath], None]
    ) -> None:
        self.source = source
        self.stages = stages
        self.before_step = before_step

    def check_cells_and_metrics(self) -> None:
        """Check limits that need only the layers, objects and field of view.

        These are limits on walkable cells and on some metrics.

        Raises:
            UnmetError: A limit is not met.
        """
        result = [*self._broken_limits(), *self._broken_metrics(whole=False)]
        if result:
            raise unmet(result)

    def check_whole_level(self) -> None:
        """Check limits on metrics that need the finished level.

        Raises:
            UnmetError: A limit is not met.
        """
        result = self._broken_metrics(whole=True)
        if result:
            raise unmet(result)

    def _broken_metrics(self, *, whole: bool) -> list[Broken]:
        """Measure the metrics that the spec limits; return the broken limits.

        If `whole` is true, only metrics that need the whole level are measured, else only the
        others.
        """
        limits = [limit for limit in self.source.spec.limits if _needs_level(limit) == whole]
        if not limits:
            return []
        self.before_step("the metrics", ("require",))
        names = tuple(limit.name for limit in limits)
        stage = Stage(
            ("metrics", *names),
            partial(level_steps.measure_level, names, whole),
            results.encode_figures,
            results.decode_figures,
            "metrics",
        )
        figures, _ = self.stages.run(stage)
        broken = broken_metrics(limits, figures)
        return [
            (self.source.spec.problem(("require", *path), breach.text), breach)
            for path, breach in broken.items()
        ]

    def _broken_limits(self) -> list[Broken]:
        """Return the limits on walkable cells that the level does not meet.

        `Broken` is a problem with its line in the spec, and by how much the limit is missed.
        """
        require = self.source.spec.require
        if require is None or not require.limits_cells():
            return []
        self.before_step("the walkable cells", ("require",))
        stage = Stage(
            ("walkable cells",),
            level_steps.certify_level,
            results.encode_certificate,
            results.decode_certificate,
        )
        certificate, _ = self.stages.run(stage)
        if certificate is None:
            return [
                (
                    self.source.spec.problem(("require",), NO_WALKABLE_CELLS),
                    Breach(NO_WALKABLE_CELLS),
                )
            ]
        lacking = [
            name for name in self.source.play_layers() if not self.source.layers[name].complete
        ]
        farthest = self._farthest(require.start) if require.start is not None else None
        unplaced: list[Broken] = []
        if isinstance(farthest, str):
            unplaced = [
                (self.source.spec.problem(("require", "start"), farthest), Breach(farthest))
            ]
            farthest, require = None, replace(require, min_distance=None)
        broken = broken_limits(certificate, not lacking, require, farthest)
        playing = self.source.play_layers()
        if len(playing) == 1:
            what = f"layer {playing[0]!r}"
        else:
            # Name the layers: some may be `play` layers by mistake.
            what = f"the `play` layers {', '.join(playing)} together"
            if lacking and "complete" in broken:
                breach = broken["complete"]
                broken["complete"] = replace(breach, text=f"{breach.text} in {', '.join(lacking)}")
        return unplaced + [
            (self.source.spec.problem(("require", key), f"{what}: {breach.text}"), breach)
            for key, breach in broken.items()
        ]

    def _farthest(self, start: str) -> Distance | str:
        """Return the steps from objects called `start` to the farthest cell.

        A text says why there are none: no such object was placed.

        Raises:
            SpecError: Neither the spec nor a layer has objects of that name.
        """
        known = self.source.groups.names
        if start not in known:
            message = unknown_name("object", start, sorted(known))
            raise self.source.spec.error(("require", "start"), message)
        stage = Stage(
            ("farthest", start),
            partial(level_steps.measure_farthest, start),
            results.encode_figures,
            results.decode_figures,
        )
        figures, _ = self.stages.run(stage)
        figure = figures[start]
        return figure if isinstance(figure, str) else Distance(int(figure), start)

    def check_layer(self, layer: Layer, spec: LayerSpec) -> None:
        """Check the limits in `spec` on the finished `layer`.

        Raises:
            UnmetError: A limit is not met.
        """
        broken: dict[tuple[str, ...], Breach] = {}
        if spec.options.require is not None:
            limits = broken_limits(layer.certificate, layer.complete, spec.options.require)
            broken = {(key,): breach for key, breach in limits.items()}
        if spec.limits:
            figures = self._figures_of(layer, spec)
            broken |= broken_metrics(spec.limits, figures)
        if broken:
            position: ValuePath = ("layers", layer.name, "require")
            what = f"layer {layer.name!r}"
            raise unmet(
                (self.source.spec.problem((*position, *path), f"{what}: {breach.text}"), breach)
                for path, breach in broken.items()
            )

    def _figures_of(self, layer: Layer, spec: LayerSpec) -> dict[str, Figure]:
        """Return the values of the metrics that `spec` limits, by name.

        They are measured on `layer` alone; a text says why a value is missing.
        """
        from exporter.measures.measured import Measured
        from exporter.measures.names import named_metric

        measured = Measured(layer)
        figures: dict[str, Figure] = {}
        for limit in spec.limits:
            try:
                figures[limit.name] = level_steps.figure(named_metric(limit.name), measured)
            except ParameterError as error:
                path = ("layers", layer.name, "require", limit.name)
                raise self.source.spec.error(path, error.message) from None
        return figures


def _needs_level(item: MetricLimit) -> bool:
    from exporter.measures.names import named_metric

    return "level" in named_metric(item.name).metric.needs
