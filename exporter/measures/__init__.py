"""Measure levels for designers; one file for each measure.

A measure is a pure function from a `Measured` level to a number, a mask or values of cells; its
return annotation is one of:

    @measure("floor", most=1.0)
    def floor(level: Measured) -> float:
        '''Share of the cells that can be walked on.'''
        return level.floor_count / level.cells

    @measure("dead_ends", unit="cells", shown=("dead end", PINK))
    def dead_ends(level: Measured) -> Mask:
        '''Floor cells with exactly one floor cell beside them (of four).'''
        return find_dead_ends(level.walkable)

Numbers are the metrics that `stats`, `require` and `where` know; a mask has one, too: how many
cells it has, or their share of the floor. Masks and values of cells are the overlays that pictures,
terminals and the studio draw, and layers are made of them. A measure with arguments is a family:
the metric `objects.chest` counts the objects called `chest`, the overlay `reach:chest` leads there.

A file may have further measures that are called after it: `exposure` has `exposure_mean`, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import getdoc
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from exporter.model.errors import RegistryError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.registry import Registry

if TYPE_CHECKING:
    from exporter.measures.maps import Mask, OverlayMap

Number = int | float
GiveNumber = Callable[..., Number]
GiveCells = Callable[..., "OverlayMap"]
# Kinds of arguments: the name of objects, a whole number from 0, a layer, an entry of `objects:`.
Argument = Literal["object", "number", "layer", "entry"]
# Inputs of a number besides walkable cells. Without any, one layer can be measured, too.
Need = Literal["visibility", "objects", "level"]
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Measure:
    """A registered measure.

    Attributes:
        name: As users write it, without arguments.
        number: Computes its number from a `Measured` and the arguments; None if it has none.
        cells: Computes its values of cells, from the same; None if it has none.
        unit: Of its number (`steps`, `cells`); `share` where the largest one is 1, empty for a
            number of things.
        summary: A description in one sentence.
        definition: The rest of the description, as precise as another implementation needs; may be
            empty.
        most: Its largest number: 1 for a share; None without a bound.
        arguments: The kinds of its arguments, in order.
        optional: Whether the arguments can be left out, all together.
        needs: Its inputs besides walkable cells: `visibility`, `objects`, or
            `level` for anything else that a single layer does not have.
        source: The source of the definition.
        also: Synonyms.
    """

    name: str
    number: GiveNumber | None = None
    cells: GiveCells | None = None
    unit: str = ""
    summary: str = ""
    definition: str = ""
    most: float | None = None
    arguments: tuple[Argument, ...] = ()
    optional: bool = False
    needs: frozenset[Need] = frozenset()
    source: str = ""
    also: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether it can be named without arguments."""
        return self.optional or not self.arguments


MEASURES: Registry[Measure] = Registry(
    "exporter.measures",
    "measure",
    Measure,
    helpers=("drawing", "maps", "measured", "measuring", "names"),
)


def metrics() -> dict[str, Measure]:
    """Return the measures with a number, by name; imports all modules.

    Raises:
        RegistryError: One of another distribution cannot be used.
    """
    return {name: item for name, item in MEASURES.all().items() if item.number is not None}


def overlays() -> dict[str, Measure]:
    """Return the measures with values of cells, by name; imports all modules.

    Raises:
        RegistryError: One of another distribution cannot be used.
    """
    return {name: item for name, item in MEASURES.all().items() if item.cells is not None}


def measure(
    name: str,
    *,
    number: GiveNumber | None = None,
    unit: str = "",
    most: float | None = None,
    shown: tuple[str, str] | None = None,
    arguments: tuple[Argument, ...] = (),
    optional: bool = False,
    needs: tuple[Need, ...] = (),
    source: str = "",
    also: tuple[str, ...] = (),
) -> Callable[[Function], Function]:
    """Register the decorated function as the measure `name`.

    It takes a `Measured` and the arguments. Its first paragraph describes it, the next one defines
    it exactly. Its return annotation is

    - `int` or `float`: a finite number of at least 0;
    - `Mask`: cells, bool [height, width]; its number is how many they are, or with `most=1` which
      share of the floor;
    - `OverlayMap`: kinds or values of cells, and marks between them.

    It raises `NotMeasurableError` for a level without the measured things. `number` computes a
    number along with cells; `shown` is the name and colour (`#rrggbb`) of a mask's cells. See
    `Measure` for the rest.
    """

    def register(function: Function) -> Function:
        given = _given(function)
        gives = number
        cells: Callable[..., Any] | None = None
        if given == "number":
            gives = function
        elif given == "cells":
            cells = _guarded(name, function, _map_problem)
        else:
            mask = _guarded(name, function, _mask_problem)
            gives = number or _size(mask, "visibility" in needs, share=most == 1)
            cells = _mask_overlay(mask, *(shown or (name.replace("_", " "), None)))
        summary, _, definition = (getdoc(function) or "").partition("\n\n")
        entry = Measure(
            name,
            gives and _guarded(name, gives, _number_problem),
            cells,
            unit or ("share" if most == 1 else ""),
            " ".join(summary.split()),
            " ".join(definition.split()),
            most,
            arguments,
            optional,
            frozenset(needs),
            source,
            also,
        )
        MEASURES.add(name, entry, function.__module__)
        return function

    return register


def _given(function: Callable[..., Any]) -> Literal["number", "mask", "cells"]:
    """Return a function's return annotation."""
    reported = function.__annotations__.get("return", "nothing")
    text = reported if isinstance(reported, str) else getattr(reported, "__name__", str(reported))
    match text.rpartition(".")[2]:
        case "int" | "float":
            return "number"
        case "Mask" | "ndarray":  # the alias as text, and its target
            return "mask"
        case "OverlayMap":
            return "cells"
    raise RegistryError(
        f"{function.__qualname__} is annotated to return {text} (a measure returns int, float, "
        "Mask or OverlayMap)"
    )


def _size(mask: Callable[..., Mask], sighted: bool, *, share: bool) -> GiveNumber:
    """Return a function that counts a mask's cells, or their floor share."""

    @wraps(mask)
    def size(level: Any, *arguments: Any) -> Number:
        count = int(mask(level, *arguments).sum())
        if not share:
            return count
        floor = int(level.sighted_floor.sum()) if sighted else level.floor_count
        return count / floor if floor else 0.0

    return size


def _mask_overlay(mask: Callable[..., Mask], word: str, color: str | None) -> GiveCells:
    """Return a function that shows a mask as one kind of cells."""

    @wraps(mask)
    def overlay(level: Any, *arguments: Any) -> OverlayMap:
        from exporter.measures.maps import classes

        cells = mask(level, *arguments)
        return classes((cells, word, color) if color else (cells, word))

    return overlay


def _guarded(name: str, function: Function, problem: Callable[[Any, Any], str]) -> Function:
    """Return a function; a third-party one with its results validated.

    `problem` returns the fault of a returned value, given the level and the value; empty if it is
    valid.
    """
    if MEASURES.is_ours(function.__module__):
        return function

    @wraps(function)
    def looked_at(level: Any, *arguments: Any) -> Any:
        value = function(level, *arguments)
        if what := problem(level, value):
            raise MEASURES.fault(name, f"returned {what}", function)
        return value

    return cast("Function", MEASURES.guarded(name, looked_at))


def _number_problem(_level: Any, value: Any) -> str:
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, bool) or not isinstance(plain, int | float) or not isfinite(plain):
        return f"{value!r} (it must return a finite number)"
    return ""


def _mask_problem(level: Any, value: Any) -> str:
    expected = level.walkable
    kind, shape = getattr(value, "dtype", type(value).__name__), getattr(value, "shape", ())
    if (kind, shape) == (expected.dtype, expected.shape):
        return ""
    return f"{kind} {list(shape)} (it must return bool {list(expected.shape)})"


def _map_problem(_level: Any, value: Any) -> str:
    kind = type(value).__name__
    return "" if kind == "OverlayMap" else f"a {kind} (it must return an OverlayMap)"
