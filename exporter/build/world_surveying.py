"""Survey a world chunk by chunk, and check its requirements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from exporter.build.requirements import Breach, Figure, broken_limits, broken_metrics, unmet
from exporter.build.world_blocks import block_of, window_of_parts
from exporter.build.world_facts import (
    Joins,
    WorldFacts,
    cells_inside,
    decode_facts,
    encode_cells,
    records,
    settled_cells,
)
from exporter.build.world_joining import (
    Joining,
    TooFarApartError,
    decode_joining,
    encode_joining,
    encode_wider,
    settled_joining,
)
from exporter.build.world_making import WorldMaker, walkable_tiles
from exporter.build.world_plan import GroupStep, LayerStep
from exporter.build.world_surveys import Surveyed, WorldSurvey, encode_extremes, encode_ids
from exporter.generators import JoiningParameters
from exporter.grids.packed_arrays import pack_arrays
from exporter.grids.parted_joins import (
    encode_part_joins,
    joins_of_part,
    meetings_of_part,
    regions_at,
)
from exporter.model.level import walkable_cells
from exporter.model.windows import Window
from exporter.reading.level_spec import LevelSpec
from exporter.reading.limit_keys import MetricLimit, Requirements
from exporter.reading.yaml_reader import Path as ValuePath


class WorldSurveys:
    """Runs the surveys of a world.

    A survey collects a fact about the whole world from all chunks. `maker` builds windows of the
    world.
    """

    def __init__(self, maker: WorldMaker) -> None:
        self.maker = maker

    def rounds(self) -> list[tuple[str, ...]]:
        """Return the names of the surveys in rounds that build on one another.

        In a round, `survey` runs on every chunk; then `settle` combines the results into findings.
        """
        waiting = dict(self._all)
        rounds: list[tuple[str, ...]] = []
        while waiting:
            ready = [
                name for name, item in waiting.items() if not self._before(item) & waiting.keys()
            ]
            rounds.append(tuple(ready))
            waiting = {name: item for name, item in waiting.items() if name not in ready}
        return rounds

    def survey(self, names: Sequence[str], window: Window, known: Surveyed) -> dict[str, bytes]:
        """Run surveys on one chunk; return the results by survey.

        `joined_surveys` combines the results of several chunks, for `settle`.

        Args:
            names: The names of the surveys, all of one round.
            window: The cells of the chunk.
            known: The findings of earlier rounds: facts about the whole world.

        Raises:
            SpecError: A generator cannot make a layer as specified.
        """
        return {name: self._survey(self._all[name], window, known) for name in names}

    def settle(self, names: Sequence[str], findings: Surveyed, known: Surveyed) -> dict[str, bytes]:
        """Combine the results of all chunks into findings about the world.

        Args:
            names: The names of the surveys, all of one round.
            findings: The results of all chunks, by survey.
            known: The findings of earlier rounds.

        Raises:
            SpecError: Regions are too far apart to be joined.
        """
        settled: dict[str, bytes] = {}
        for name in names:
            kind = self._all[name].kind
            if kind == "joins":
                settled[name] = self._settled_joins(self._all[name], findings[name], known)
            elif kind == "cells":
                settled[name] = settled_cells(findings[name], self.maker.size)
            else:
                settled[name] = findings[name]
        return settled

    def unsettled(self, names: Sequence[str], known: Surveyed) -> tuple[str, ...]:
        """Return which surveys of a round must run again on all chunks.

        `names` are the surveys of the round, `known` the findings after it.
        """
        return tuple(
            name
            for name in names
            if self._all[name].kind == "joins" and decode_joining(known[name]).stage != "done"
        )

    def facts(self, known: Surveyed) -> dict[str, WorldFacts]:
        """Return the facts about walkable cells by layer.

        `known` are the findings of all surveys. The key "" is for all `play` layers together.
        Layers without requirements are left out.
        """
        return {
            item.layer: decode_facts(known[name])
            for name, item in self._all.items()
            if item.kind == "cells"
        }

    def check(self, known: Surveyed) -> None:
        """Check the requirements that need facts about the whole world.

        `known` are the findings of all surveys.

        Raises:
            UnmetError: A requirement is not met; the error points at its line.
        """
        result = [
            (self.maker.spec.problem(path, text), breach)
            for path, text, breach in unmet_requirements(self.maker.spec, self.facts(known))
        ]
        if result:
            raise unmet(result)

    @cached_property
    def _all(self) -> dict[str, WorldSurvey]:
        result: list[WorldSurvey] = []
        for step in self.maker.steps:
            if isinstance(step, GroupStep):
                continue
            parameters = self.maker.spec.layers[step.name].parameters
            if step.parts.survey is not None and step.parts.surveyed(parameters):
                result.append(WorldSurvey("extremes", step.name))
            if isinstance(parameters, JoiningParameters):
                if isinstance(parameters.fixed, str):
                    result.append(WorldSurvey("given", step.name))
                if parameters.connect == "guaranteed":
                    result.append(WorldSurvey("joins", step.name))
        result += [WorldSurvey("cells", name) for name in required_layers(self.maker.spec)]
        return {item.name: item for item in result}

    def _before(self, survey: WorldSurvey) -> set[str]:
        """Return the names of the surveys that must run before `survey`.

        These are the surveys of all layers on which the surveyed layer depends, and some of the
        layer itself.
        """
        names = self._surveys_of(survey.layer)
        steps = self.maker.below(*names)
        if survey.kind == "cells":
            steps = self.maker.including(*names)  # these surveys read the finished layer
        below = {step.name for step in steps if isinstance(step, LayerStep)}
        earlier = {
            name for name, item in self._all.items() if item.layer in below and item.kind != "cells"
        }
        if survey.kind == "joins":
            own = (
                WorldSurvey("extremes", survey.layer).name,
                WorldSurvey("given", survey.layer).name,
            )
            earlier |= {name for name in own if name in self._all}
        return earlier

    def _survey(self, survey: WorldSurvey, window: Window, known: Surveyed) -> bytes:
        if survey.kind == "cells":
            around = window.grown(1)
            walkable = self._walkable(survey.layer, around, known)
            return records(encode_cells(walkable, window, around))
        step = self.maker.step(survey.layer)
        if survey.kind == "joins":
            return self._joins(step, window, known)
        parameters = self.maker.spec.layers[survey.layer].parameters
        if survey.kind == "given":
            assert isinstance(parameters, JoiningParameters)
            result = self.maker.build_window(self.maker.below(survey.layer), window, known)
            from exporter.generators.fixed import given_tiles

            given = self.maker.attempt(
                ("layers", survey.layer),
                given_tiles,
                parameters,
                self.maker.request(step, window, result, known),
            )
            return encode_ids(given)
        requested = window.grown(step.halo)
        result = self.maker.build_window(self.maker.below(survey.layer), requested, known)
        extremes = self.maker.attempt(
            ("layers", survey.layer),
            step.parts.survey,
            parameters,
            self.maker.request(step, requested, result, known),
            window.within(requested),
        )
        return encode_extremes(extremes)

    def _surveys_of(self, layer: str) -> list[str]:
        """Return `layer` in a list; for "", the names of all `play` layers."""
        return (
            [layer]
            if layer
            else [name for name, role in self.maker.roles.items() if role == "play"]
        )

    def _walkable(self, layer: str, window: Window, known: Surveyed) -> NDArray[np.bool_]:
        """Return the walkable cells of `layer` in `window`: bool [height, width].

        "" as the layer means all `play` layers together. `known` are the findings so far.
        """
        shape = window.height, window.width
        result = self.maker.build_window(
            self.maker.including(*self._surveys_of(layer)), window, known
        ).layers
        if not layer:
            return walkable_cells(result.values(), shape)
        walkable = result[layer].walkable
        return np.zeros(shape, bool) if walkable is None else walkable

    def _joins(self, step: LayerStep, window: Window, known: Surveyed) -> bytes:
        """Return what one chunk contributes to joining the regions of a layer.

        `window` are the cells of the chunk. What the result has depends on the stage of joining,
        which is in `known`, the findings so far.
        """
        state = _joining(known, WorldSurvey("joins", step.name).name)
        if state.stage == "regions":
            cells = cells_inside(state.needed, window).astype(np.int64)
            if not cells.size:
                return b""
            walkable, _ = self._separate(step, window, state.joins, known)
            regions = regions_at(walkable, window, cells)
            arrays = {"cells": cells.astype("<u4"), "regions": regions.astype("<i8")}
            return records(pack_arrays(arrays))
        if state.stage == "wider":
            return self._wider(step, window, state, known)
        around = window.grown(state.halo)
        walkable, remaining = self._separate(step, around, state.joins, known)
        part = joins_of_part(walkable, remaining, window, around, state.halo, state.phase)
        return records(encode_part_joins(part))

    def _wider(self, step: LayerStep, part: Window, state: Joining, known: Surveyed) -> bytes:
        """Return what a block of chunks contributes at the stage `wider`.

        At this stage of joining regions, paths between them are searched with a wider margin. Empty
        unless chunk `part` represents its block, and the block may have more paths.
        """
        chunk = self._chunk
        block = block_of(part, chunk, state.halo)
        unfinished = state.unfinished if block is None else cells_inside(state.unfinished, block)
        if block is None or not unfinished.size:
            return b""
        window = window_of_parts(unfinished, part.whole, chunk)
        around = window.grown(state.halo)
        walkable, remaining = self._separate(step, around, state.joins, known)
        meetings, finished = meetings_of_part(
            walkable, remaining, window, around, state.halo, state.phase
        )
        return records(encode_wider(meetings, unfinished[:0] if finished else unfinished))

    @property
    def _chunk(self) -> int:
        assert self.maker.spec.chunk is not None
        return self.maker.spec.chunk

    def _settled_joins(self, survey: WorldSurvey, findings: bytes, known: Surveyed) -> bytes:
        state = _joining(known, survey.name)
        try:
            return encode_joining(settled_joining(findings, state, self.maker.size, self._chunk))
        except TooFarApartError as error:
            message = (
                f"regions of {survey.layer!r} lie more than {error.distance} cells apart, and the "
                "joins of a world are found up to that distance (bring them nearer, or remove "
                "`connect`)"
            )
            raise self.maker.spec.error(("layers", survey.layer, "connect"), message) from None

    def _separate(
        self, step: LayerStep, window: Window, joins: Joins, known: Surveyed
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_] | None]:
        """Return a layer's walkable cells after `joins`, and its fixed cells.

        Both are bool [height, width] of `window`, without hand edits; the second is None without
        fixed cells, which must not be opened. `known` are the findings so far.
        """
        requested = window.grown(step.halo)
        below = self.maker.build_window(self.maker.below(step.name), requested, known)
        generated, remaining = self.maker.generated(step, requested, below, known)
        inside = window.within(requested)
        walkable = walkable_tiles(step.name, generated)
        if walkable is None:
            own = np.zeros((window.height, window.width), bool)
        else:
            own = walkable[inside] | joins.inside(window)
        return own, None if remaining is None else remaining[inside]


def _joining(known: Surveyed, name: str) -> Joining:
    return decode_joining(known[name]) if name in known else Joining()


def required_layers(spec: LevelSpec) -> list[str]:
    """Return the names of layers with requirements on their walkable cells.

    The name "" means all `play` layers together.
    """
    result = [
        name
        for name, layer in spec.layers.items()
        if layer.limits or (layer.options.require and layer.options.require.limits_cells())
    ]
    if spec.limits or (spec.require is not None and spec.require.limits_cells()):
        result.append("")
    return result


def unmet_requirements(
    spec: LevelSpec, facts: Mapping[str, WorldFacts]
) -> Iterator[tuple[ValuePath, str, Breach]]:
    """Yield the path, message and breach of each requirement that is not met.

    A breach says by how much. `facts` has the facts about walkable cells, by layer; "" for all
    `play` layers together.
    """
    for name, known in facts.items():
        if name:
            layer = spec.layers[name]
            position: ValuePath = ("layers", name, "require")
            result = _broken(layer.options.require, layer.limits, known)
            what = f"layer {name!r}"
        else:
            position, what = ("require",), "the world"
            result = _broken(spec.require, spec.limits, known)
        for path, breach in result.items():
            yield (*position, *path), f"{what}: {breach.text}", breach


def _broken(
    require: Requirements | None, limits: Iterable[MetricLimit], known: WorldFacts
) -> dict[tuple[str, ...], Breach]:
    broken: dict[tuple[str, ...], Breach] = {}
    certificate = known.certificate()
    if require is not None:
        remaining = broken_limits(certificate, True, require)
        broken = {(key,): breach for key, breach in remaining.items()}
    # Requirements that surveys cannot check in so large a world are refused when the spec is read.
    figures: dict[str, Figure] = {
        "regions": certificate.regions_after,
        "floor": certificate.floor / certificate.cells,
        "dead_ends": certificate.dead_ends,
        "farthest": certificate.farthest,
        "chokes": certificate.chokes,
    }
    return broken | broken_metrics(limits, figures)
