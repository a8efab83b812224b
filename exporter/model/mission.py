"""Define a level's mission: its locks, its goal and a walk to the goal."""

from __future__ import annotations

from typing import Any, Literal

from exporter.model.lazy_dataclass import dataclass

LockKind = Literal["key", "small_key", "one_way", "shortcut"]


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock that blocks a path through a level until it is opened.

    Attributes:
        name: The name of the lock. Objects whose property `opens` has this name are its keys. Locks
            of kind `small_key` that share keys share a name.
        kind: `key` is opened by a key that is kept, `small_key` by a key that is used up; `one_way`
            can be passed in one direction; `shortcut` can be opened from one side.
        cells: The cells (x, y) that are closed.
        opened_from: For `one_way` and `shortcut`, the adjacent cells (x, y) from which it can be
            entered or opened.
    """

    name: str
    kind: LockKind
    cells: tuple[tuple[int, int], ...]
    opened_from: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Mission:
    """The locks and the goal of a level; the goal can always be reached.

    Attributes:
        start: The name of the object on which the player starts.
        goal: The name of the object where the player wins.
        locks: The locks, in the order of the spec.
        walkthrough: The actions of a shortest walk from the start to the goal, one text for each.
        states: The number of states of play (position, keys, open locks) that were examined.
        stranded: In how many of these the goal can no longer be reached; 0 in every built level.
    """

    start: str
    goal: str
    locks: tuple[Lock, ...] = ()
    walkthrough: tuple[str, ...] = ()
    states: int = 0
    stranded: int = 0

    def description(self) -> dict[str, Any]:
        """Return the mission as JSON data, with the keys that blobs use."""
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
