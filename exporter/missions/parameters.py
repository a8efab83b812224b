"""Define the section `mission` of a spec."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Any, ClassVar, Literal

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import STRICT, About, LayerName, Name, Names, Parameters, Within

MOST = 1 << 30
MAXIMUM_LOCKS = 64
# Locks that hold so many small keys have few orders of spending.
MAXIMUM_SMALL_KEYS = 16


@dataclass(frozen=True, kw_only=True)
class CountRange(Parameters):
    """Limits for a count."""

    at_least: Annotated[
        Annotated[int, Within(0, MOST)] | None, About("Smallest count.", also=("min", "minimum"))
    ] = None
    at_most: Annotated[
        Annotated[int, Within(0, MOST)] | None, About("Largest count.", also=("max", "maximum"))
    ] = None

    def check(self, width: int, height: int) -> None:
        """Check that the limits can be met and restrict something."""
        _check_limits(self.at_least, self.at_most)

    @property
    def limits(self) -> tuple[float | None, float | None]:
        """The smallest and the largest count; None if unset."""
        return self.at_least, self.at_most


@dataclass(frozen=True, kw_only=True)
class ShareRange(Parameters):
    """Limits for a share of cells."""

    at_least: Annotated[
        Annotated[float, Within(0, 1)] | None, About("Smallest share.", also=("min", "minimum"))
    ] = None
    at_most: Annotated[
        Annotated[float, Within(0, 1)] | None, About("Largest share.", also=("max", "maximum"))
    ] = None

    def check(self, width: int, height: int) -> None:
        """Check that the limits can be met and restrict something."""
        _check_limits(self.at_least, self.at_most)

    @property
    def limits(self) -> tuple[float | None, float | None]:
        """The smallest and the largest share, as fractions; None if unset."""
        return self.at_least, self.at_most


def _check_limits(low: float | None, high: float | None) -> None:
    if low is None and high is None:
        raise ParameterError("the limit is missing (write `{at_least: 1}`)")
    if low is not None and high is not None and low > high:
        message = f"nothing is at most {high:g} and at least {low:g} (exchange the two numbers)"
        raise ParameterError(message, ("at_most",))


StepRange = tuple[Annotated[int, Within(0, MOST)], Annotated[int, Within(0, MOST)]]


@dataclass(frozen=True, kw_only=True)
class LockParameters(Parameters):
    """A lock of a mission, or several that share their keys."""

    # `for` is a word of Python.
    __pydantic_config__: ClassVar[dict[str, Any]] = {
        **STRICT,
        "alias_generator": lambda name: name.rstrip("_"),
    }

    name: Annotated[
        Name,
        About(
            "Name of the lock. Its keys are objects `NAME_key`, the cells it closes are marked "
            "with objects `NAME_lock`.",
            example="red",
        ),
    ]
    kind: Annotated[
        Literal["key", "small_key", "one_way", "shortcut"],
        About(
            "`key`: one key opens it and is kept. `small_key`: each key opens one of `count` "
            "locks and is used up. `one_way`: can be passed in one direction. `shortcut`: opens "
            "from the far side, then stays open.",
            also=("type",),
            values=(
                ("key", ("boss_key", "door")),
                ("small_key", ("small", "consumable")),
                ("one_way", ("drop", "ledge", "oneway")),
                ("shortcut", ("gate", "lever", "bolt")),
            ),
        ),
    ] = "key"
    count: Annotated[
        int,
        Within(1, MAXIMUM_SMALL_KEYS),
        About("With `small_key`: how many locks there are, and as many keys."),
    ] = 1
    at: Annotated[
        Literal["goal"] | None,
        About("With `key`: the goal's own cell is the lock. It needs no rooms."),
    ] = None
    for_: Annotated[
        Annotated[Name, Names("object")] | None,
        About(
            "With `key` and `small_key`: one of the objects of `optional`, whose dead end the "
            "lock closes. All other such locks are on the way to the goal.",
            example="treasure",
        ),
    ] = None

    @property
    def key_name(self) -> str:
        """The name of the keys that open the lock."""
        return f"{self.name}_key"

    @property
    def mark_name(self) -> str:
        """The name of the objects that mark the lock's cells."""
        return f"{self.name}_lock"

    @property
    def has_keys(self) -> bool:
        """Whether the lock is opened by keys."""
        return self.kind in ("key", "small_key")


@dataclass(frozen=True, kw_only=True)
class MissionParameters(Parameters):
    """A start, a goal, locks and keys; a player can always reach the goal.

    The build proves it for every order in which keys are taken and locks opened.
    """

    of: Annotated[
        LayerName | None,
        About(
            "Layer with rooms and connections, between which the locks stand; default: the last "
            "one with rooms.",
            also=("layer", "from_layer"),
        ),
    ] = None
    start: Annotated[
        Annotated[Name, Names("object")],
        About(
            "Object on which the player starts. The mission places it if neither `objects` nor a "
            "layer has one of that name.",
            also=("from", "player"),
            example="entrance",
        ),
    ]
    goal: Annotated[
        Annotated[Name, Names("object")],
        About("Object at which she wins; placed likewise.", also=("to", "exit"), example="throne"),
    ]
    locks: Annotated[
        tuple[LockParameters, ...],
        Within(0, MAXIMUM_LOCKS, length=True),
        About(
            "The locks: where each one is, and how it opens.",
            also=("doors", "keys"),
            example="[{name: red, kind: key}]",
        ),
    ] = ()
    rooms: Annotated[
        CountRange | None,
        About(
            "How many rooms the shortest complete walk enters: the fewest steps from start to "
            "goal, with the keys it needs.",
            example="{at_least: 8}",
        ),
    ] = None
    steps: Annotated[
        dict[Annotated[str, Names("walk")], StepRange | CountRange],
        About(
            "Fewest steps between two cells if every other lock stood open, by `A..B`: each is "
            "`start`, `goal`, or a lock of the kind `key`, whose key is meant.",
            unit="steps",
            also=("distances", "distance"),
            example='{"start..red": [18, 24]}',
        ),
    ] = field(default_factory=dict)
    behind: Annotated[
        dict[Annotated[Name, Names("lock")], ShareRange],
        About(
            "Share of the walkable cells that cannot be reached without a lock's key, with all "
            "other locks open; by the lock's name.",
            example="{red: {at_least: 0.3}}",
        ),
    ] = field(default_factory=dict)
    loops: Annotated[
        CountRange | None,
        About("Independent cycles of the room graph.", also=("cycles",), example="{at_least: 1}"),
    ] = None
    optional: Annotated[
        tuple[Annotated[Name, Names("object")], ...],
        Within(0, 64, length=True),
        About(
            "Objects that each stand in a dead end off the shortest complete walk; placed as the "
            "start is.",
            also=("side_rooms", "treasures"),
            example="[treasure, shop]",
        ),
    ] = ()

    def check(self, width: int, height: int) -> None:
        """Check parameters that depend on each other."""
        for index, lock in enumerate(self.locks):
            self._check_lock(index, lock)
        owners: dict[str, str] = {}
        for name, what, path in self.named():
            if name in owners:
                message = f"{name!r} is {owners[name]} already (choose another name)"
                raise ParameterError(message, path)
            owners[name] = what
        for key in ("rooms", "loops"):
            limits = getattr(self, key)
            if limits is not None:
                _checked(limits, (key,))
        for pair, expected in self.steps.items():
            self.ends_of(pair)
            if isinstance(expected, CountRange):
                _checked(expected, ("steps", pair))
            elif expected[0] > expected[1]:
                message = f"{expected[0]} is more than {expected[1]} (exchange the two numbers)"
                raise ParameterError(message, ("steps", pair))
        for name, share in self.behind.items():
            known = [item.name for item in self.locks if item.has_keys and item.at is None]
            if name not in known:
                message = f"{name!r} is no lock with keys (allowed: {', '.join(known) or 'none'})"
                raise ParameterError(message, ("behind", name))
            _checked(share, ("behind", name))

    def named(self) -> list[tuple[str, str, tuple[str | int, ...]]]:
        """Return name, meaning and path in the spec of each object of the mission."""
        result: list[tuple[str, str, tuple[str | int, ...]]] = [
            (self.start, "the start", ("start",)),
            (self.goal, "the goal", ("goal",)),
        ]
        result += [
            (name, "an optional object", ("optional", i)) for i, name in enumerate(self.optional)
        ]
        for index, lock in enumerate(self.locks):
            path = ("locks", index, "name")
            result.append((lock.mark_name, f"what marks the lock {lock.name!r}", path))
            if lock.has_keys:
                result.append((lock.key_name, f"the key of the lock {lock.name!r}", path))
        return result

    def _check_lock(self, index: int, lock: LockParameters) -> None:
        path = ("locks", index)
        if lock.count != 1 and lock.kind != "small_key":
            message = "`count` is for locks of the kind small_key (remove it)"
            raise ParameterError(message, (*path, "count"))
        if lock.at is not None and lock.kind != "key":
            message = "only a lock of the kind key can be at the goal (write `kind: key`)"
            raise ParameterError(message, (*path, "at"))
        if lock.at is not None and any(item.at is not None for item in self.locks[:index]):
            message = "another lock is at the goal already (remove `at` from one)"
            raise ParameterError(message, (*path, "at"))
        if lock.for_ is None:
            return
        if not lock.has_keys or lock.at is not None or lock.count != 1:
            message = "`for` is for one lock of the kind key or small_key, without `at` (remove it)"
            raise ParameterError(message, (*path, "for"))
        if lock.for_ not in self.optional:
            message = (
                f"{lock.for_!r} is no object of `optional` (write `optional: [{lock.for_}]` in the "
                "mission)"
            )
            raise ParameterError(message, (*path, "for"))
        if any(item.for_ == lock.for_ for item in self.locks[:index]):
            message = f"another lock closes the dead end of {lock.for_!r} already (remove one)"
            raise ParameterError(message, (*path, "for"))

    def ends_of(self, pair: str) -> tuple[str, str]:
        """Return the two ends in `pair`, a key of `steps` such as `start..goal`.

        Raises:
            ParameterError: The key does not name two ends.
        """
        known = ["start", *(lock.name for lock in self.locks if lock.kind == "key"), "goal"]
        first, dots, last = pair.partition("..")
        if not dots or first not in known or last not in known or first == last:
            message = (
                f"{pair!r} is no pair of cells (write two of {', '.join(known)}, as in "
                f"`{known[0]}..{known[1]}`)"
            )
            raise ParameterError(message, ("steps", pair))
        return first, last

    @property
    def needs_rooms(self) -> bool:
        """Whether the level needs rooms, as for most locks."""
        return bool(
            self.optional
            or self.rooms is not None
            or self.loops is not None
            or any(lock.at is None for lock in self.locks)
        )

    def object_names(self) -> tuple[str, ...]:
        """Return the names of the objects that the mission may place."""
        return tuple(name for name, _, _ in self.named())


def _checked(limits: CountRange | ShareRange, path: tuple[str | int, ...]) -> None:
    try:
        limits.check(0, 0)
    except ParameterError as error:
        raise ParameterError(error.message, (*path, *error.path)) from None


def is_within(value: float, expected: CountRange | ShareRange | tuple[int, int] | None) -> bool:
    """Return whether `value` is within `expected`; None means no limits."""
    if expected is None:
        return True
    low, high = expected if isinstance(expected, tuple) else expected.limits
    return (low is None or value >= low) and (high is None or value <= high)
