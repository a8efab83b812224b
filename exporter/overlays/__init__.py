"""Overlays: what lies over a level's picture to explain it; one file each, named as users write it.

An overlay is a function from a `Subject`, a finished build, to an `OverlayMap`: for each cell a
class with a name and a colour, or a number on a scale, and marks such as paths and circles.

    @overlay("dead_ends")
    def compute(subject: Subject) -> OverlayMap:
        '''Floor cells with exactly one floor cell beside them.'''
        return classes((find_dead_ends(subject.measured.walkable), "dead end"))

Pictures, terminals and the studio draw the same maps in the same colours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import getdoc
from typing import Literal, TypeVar

from exporter.model.registry import Registry
from exporter.overlays._maps import OverlayMap
from exporter.overlays._subject import Subject

Compute = Callable[[Subject], OverlayMap]
Function = TypeVar("Function", bound=Compute)
# What follows the name of an overlay: nothing, a layer that may be left out, the name of objects
# that stand in the level, or an entry of `objects:`.
Argument = Literal["", "layer", "object", "entry"]
# What a level must have for it.
Need = Literal["visibility", "rooms"]


@dataclass(frozen=True, slots=True)
class Overlay:
    """A registered overlay.

    Attributes:
        name: As users write it.
        compute: The function. It raises `ParameterError` where a level lacks what is shown.
        summary: What it shows, in a sentence.
        argument: What follows the name.
        needs: What a level must have for it.
        also: Words people use for it.
    """

    name: str
    compute: Compute
    summary: str = ""
    argument: Argument = ""
    needs: frozenset[Need] = frozenset()
    also: tuple[str, ...] = ()


OVERLAYS: Registry[Overlay] = Registry("exporter.overlays", "overlay", Overlay)


def overlay(
    name: str,
    *,
    argument: Argument = "",
    needs: tuple[Need, ...] = (),
    also: tuple[str, ...] = (),
) -> Callable[[Function], Function]:
    """Register the decorated function as the overlay `name`.

    The first paragraph of its docstring says what it shows; see `Overlay` for the rest.
    """

    def register(function: Function) -> Function:
        summary = (getdoc(function) or "").partition("\n\n")[0]
        text = " ".join(summary.split())
        compute = OVERLAYS.guarded(name, function, OverlayMap)
        entry = Overlay(name, compute, text, argument, frozenset(needs), also)
        OVERLAYS.add(name, entry, function.__module__)
        return function

    return register
