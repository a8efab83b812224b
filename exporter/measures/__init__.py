"""Measure levels for designers; each module defines a measure.

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

A measure with a number is a metric, used by `stats`, `require` and `where`; the number of a mask is
its count of cells, or their share of the floor. A measure with a mask or values of cells is an
overlay, drawn over pictures, in terminals and in the studio, and can be made a layer. A measure can
have arguments: the metric `objects.chest` counts the objects called `chest`, and the overlay
`reach:chest` shows the steps to them.

A module may define further measures whose names start with its own: `exposure` also has
`exposure_mean`.
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
        name: The name that users write, without arguments.
        number: Computes the number from a `Measured` and the arguments; None if the measure has
            none.
        cells: Computes the values of cells from a `Measured` and the arguments; None if the measure
            has none.
        unit: The unit of the number (`steps`, `cells`); `share` if the largest is 1, empty for a
            count.
        summary: A description in one sentence.
        definition: The rest of the description, precise enough to implement the measure; may be
            empty.
        most: The largest possible number: 1 for a share; None if unbounded.
        arguments: The kinds of the arguments, in order.
        optional: Whether all arguments can be left out.
        needs: What the measure reads besides walkable cells: `visibility`, `objects`, or `level`
            for anything else that a single layer lacks.
        source: The publication that defines the measure.
        also: Synonyms of the name.
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
        """Whether the name can be used without arguments."""
        return self.optional or not self.arguments


MEASURES: Registry[Measure] = Registry(
    "exporter.measures",
    "measure",
    Measure,
    helpers=("drawing", "maps", "measured", "measuring", "names"),
)


def metrics() -> dict[str, Measure]:
    """Return the measures that have a number, by name.

    This imports the modules of all measures.

    Raises:
        RegistryError: A third-party measure cannot be used.
    """
    return {name: item for name, item in MEASURES.all().items() if item.number is not None}


def overlays() -> dict[str, Measure]:
    """Return the measures that have values of cells, by name.

    This imports the modules of all measures.

    Raises:
        RegistryError: A third-party measure cannot be used.
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

    The function takes a `Measured` and the arguments. The first paragraph of its docstring
    describes the measure, the next one defines it exactly. Its return annotation is

    - `int` or `float`: a finite number of at least 0;
    - `Mask`: bool [height, width]; the number is the count of cells, or with `most=1` their share
    of the floor;
    - `OverlayMap`: kinds or values of cells, and marks between them.

    It raises `NotMeasurableError` for a level that lacks what it measures. `number` computes the
    number for a function that returns an `OverlayMap`; `shown` is the name and colour (`#rrggbb`)
    of a mask's cells. The other arguments are the attributes of `Measure`.
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
    """Return the kind of a measure's result, from its return annotation."""
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
    """Return a function that counts the cells of a mask, or gives their share.

    With `share`, it is the share of the walkable cells; if `sighted`, of those that do not block
    sight.
    """

    @wraps(mask)
    def size(level: Any, *arguments: Any) -> Number:
        count = int(mask(level, *arguments).sum())
        if not share:
            return count
        floor = int(level.sighted_floor.sum()) if sighted else level.floor_count
        return count / floor if floor else 0.0

    return size


def _mask_overlay(mask: Callable[..., Mask], word: str, color: str | None) -> GiveCells:
    """Return a function that turns the result of `mask` into an overlay.

    `word` and `color` are the name and colour of the mask's cells in the legend.
    """

    @wraps(mask)
    def overlay(level: Any, *arguments: Any) -> OverlayMap:
        from exporter.measures.maps import classes

        cells = mask(level, *arguments)
        return classes((cells, word, color) if color else (cells, word))

    return overlay


def _guarded(name: str, function: Function, problem: Callable[[Any, Any], str]) -> Function:
    """Return `function`, with its results checked if it is third-party code.

    It belongs to the measure `name`. `problem` gets the level and a result, and returns what is
    wrong with the result, or "".
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
