"""Define a level's mission: its locks, its goal and a walk through it."""

from __future__ import annotations

from typing import Any, Literal

from exporter.model.lazy_dataclass import dataclass

LockKind = Literal["key", "small_key", "one_way", "shortcut"]


@dataclass(frozen=True, slots=True)
class Lock:
    """Something that blocks a path through a level until it is opened.

    Attributes:
        name: Objects with the property `opens` of this name are its keys. Locks of `small_key`
            that share their keys share the name.
        kind: `key` opens for good with a key that is kept, `small_key` with one that is used up;
            `one_way` is passed in one direction; `shortcut` is opened from one side.
        cells: The cells (x, y) that are closed.
        opened_from: For `one_way` and `shortcut` the neighbouring cells (x, y) from which it is
            entered or opened.
    """

    name: str
    kind: LockKind
    cells: tuple[tuple[int, int], ...]
    opened_from: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Mission:
    """The locks, keys and goal of a level, proven for every order of play.

    Attributes:
        start: The name of the object on which the player starts.
        goal: The name of the object at which she wins.
        locks: The locks, in the order of the spec.
        walkthrough: A shortest complete walk, as one text for each thing to do.
        states: How many states of play were examined.
        stranded: In how many of them the goal is lost; no level is built with any.
    """

    start: str
    goal: str
    locks: tuple[Lock, ...] = ()
    walkthrough: tuple[str, ...] = ()
    states: int = 0
    stranded: int = 0

    def description(self) -> dict[str, Any]:
        """Return the mission as JSON data."""
        return {
            "start": self.start,
            "goal": self.goal,
            "locks": [
                {
                    "name": lock.name,
                    "kind": lock.kind,
                    "cells": [list(cell) for cell in lock.cells],
                    "opened_from": [list(cell) for cell in lock.opened_from],
                }
                for lock in self.locks
            ],
            "walkthrough": list(self.walkthrough),
            "states": self.states,
            "stranded": self.stranded,
        }
