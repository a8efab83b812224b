"""What overlays look at: a finished build, its level, and what was named with the overlay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from exporter.metrics._measured import Measured
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Level
from exporter.model.suggestions import unknown_name

if TYPE_CHECKING:
    from exporter.build.build import Build
    from exporter.build.stages import StageCache
    from exporter.placement.observed import ObservedGroup
    from exporter.placement.parameters import ObjectParameters
    from exporter.visibility.table import VisibilityTable

Mask = np.typing.NDArray[np.bool_]


@dataclass(frozen=True)
class Subject:
    """A finished build, as overlays look at it.

    Attributes:
        build: The build; its level is there.
        argument: What follows the overlay's name; empty for nothing.
        cache: Where results of its stages are kept, for what must be built once more.
    """

    build: Build
    argument: str = ""
    cache: StageCache | None = None

    @cached_property
    def level(self) -> Level:
        """The level."""
        return self.build.level()[0]

    @cached_property
    def measured(self) -> Measured:
        """The level as metrics look at it."""
        return Measured(self.level)

    @property
    def sight(self) -> VisibilityTable:
        """The level's field of view.

        Raises:
            ParameterError: It has none.
        """
        if self.level.visibility is None:
            raise ParameterError("the level has no `visibility:` (write `visibility: {radius: 8}`)")
        return self.measured.sight

    def named_layer(self) -> Layer | None:
        """Return the layer that is named; None if none is.

        Raises:
            ParameterError: There is no such layer, or it has a size of its own.
        """
        if not self.argument:
            return None
        if self.argument not in self.level.layers:
            raise ParameterError(unknown_name("layer", self.argument, list(self.level.layers)))
        layer = self.level.layers[self.argument]
        if not layer.grid_aligned:
            raise ParameterError(
                f"the layer {layer.name!r} has a size of its own, so its cells are not those of "
                "the level (name another layer)"
            )
        return layer

    def named_objects(self) -> list[tuple[int, int]]:
        """Return the cells (x, y) of the objects that are named: at least one.

        Raises:
            ParameterError: No object of that name stands in the level.
        """
        known = self.measured.objects
        if self.argument in known:
            return known[self.argument]
        spec_names = dict.fromkeys(one.name for one in self.build.spec.objects)
        if self.argument in spec_names:
            raise ParameterError(f"no object {self.argument!r} is placed")
        raise ParameterError(unknown_name("object", self.argument, [*spec_names, *known]))

    def named_entry(self) -> int:
        """Return the place in `objects:` of the entry that is named.

        `chest` is the first entry of that name, `chest:2` the second.

        Raises:
            ParameterError: There is no such entry.
        """
        return entry_of(self.build.spec.objects, self.argument)

    def observed(self) -> ObservedGroup:
        """Return what became of every cell when the entry that is named was placed.

        Raises:
            ParameterError: There is no such entry.
            SpecError: One of its demands cannot be had.
        """
        from exporter.build.observed import observed_group

        root = self.build.files.root
        return observed_group(self.build.spec, self.named_entry(), root, self.cache)


def entry_of(objects: tuple[ObjectParameters, ...], text: str) -> int:
    """Return the place of the entry that a text names: `chest`, or `chest:2` for the second one.

    Raises:
        ParameterError: There is no such entry.
    """
    name, colon, number = text.partition(":")
    places = [place for place, one in enumerate(objects) if one.name == name]
    if not places:
        if not objects:
            raise ParameterError("the spec has no `objects:`")
        known = list(dict.fromkeys(one.name for one in objects))
        raise ParameterError(unknown_name("object", name, known))
    if not colon:
        return places[0]
    if not (number.isascii() and number.isdigit() and len(number) < 9):
        raise ParameterError(f"{number!r} is not the number of an entry (write {name}:2)")
    if not 1 <= int(number) <= len(places):
        raise ParameterError(
            f"there is no entry {number} of {name!r} (allowed: 1 to {len(places)})"
        )
    return places[int(number) - 1]
