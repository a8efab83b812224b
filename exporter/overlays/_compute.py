"""Computes an overlay that a text names, such as `chokes` or `reach:stairs_up`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.model.errors import ParameterError
from exporter.overlays import OVERLAYS, Overlay
from exporter.overlays._maps import OverlayMap
from exporter.overlays._subject import Subject

if TYPE_CHECKING:
    from exporter.build.build import Build
    from exporter.build.stages import StageCache

_ARGUMENTS = {
    "layer": "a layer",
    "object": "the name of placed objects",
    "entry": "the name of an entry of `objects`",
}


def named_overlay(text: str) -> tuple[Overlay, str]:
    """Return the overlay that a text names, and its argument; empty without one.

    Raises:
        ParameterError: There is none, or its argument is missing or too much.
    """
    name, colon, argument = text.partition(":")
    if name not in OVERLAYS.names():
        raise ParameterError(OVERLAYS.unknown(name))
    found = OVERLAYS.get(name)
    if colon and not found.argument:
        raise ParameterError(f"the overlay {name!r} has nothing behind its name (write {name})")
    if colon and not argument:
        raise ParameterError(f"there is nothing behind {text!r} (write {name}:NAME)")
    if not colon and found.argument in ("object", "entry"):
        what = _ARGUMENTS[found.argument]
        raise ParameterError(f"the overlay {name!r} needs {what} (write {name}:NAME)")
    return found, argument


def compute_overlay(text: str, build: Build, cache: StageCache | None = None) -> OverlayMap:
    """Return an overlay of a finished build.

    Args:
        text: Its name, and behind a colon its argument.
        build: The build.
        cache: Where results of its stages are kept, for what must be built once more.

    Raises:
        ParameterError: There is no such overlay, or the level lacks what it shows.
        SpecError: As `Subject.observed`.
    """
    found, argument = named_overlay(text)
    return found.compute(Subject(build, argument, cache))
