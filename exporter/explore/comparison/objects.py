"""Match the objects of two levels and find moved ones.

Only objects of one name match. Objects in the same cell match first; the others are matched with
the shortest total distance (the assignment problem), so that an added or removed object does not
make all later ones appear moved.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.explore.comparison.differences import NumberedObject, ObjectChange, ObjectDifference
from exporter.explore.comparison.lists import compare_values
from exporter.model.level import PlacedObject

# Beyond this many steps the order of placement replaces the shortest total distance.
_LARGEST_WORK = 1 << 24

Pair = tuple[int, int]


def compare_objects(was: Sequence[PlacedObject], now: Sequence[PlacedObject]) -> ObjectDifference:
    """Return the differences between the objects of two levels.

    `was` are the objects of the first level, `now` those of the second, in the order of placement.
    """
    before, after = _by_name(was), _by_name(now)
    added: list[NumberedObject] = []
    removed: list[NumberedObject] = []
    changed: list[ObjectChange] = []
    same = other_ids = 0
    for name in dict.fromkeys([*after, *before]):
        old, new = before.get(name, []), after.get(name, [])
        pairs = _match([item.placed for item in old], [item.placed for item in new])
        for i, j in pairs:
            change = _change(old[i], new[j])
            other_ids += old[i].placed.id != new[j].placed.id
            if change.moved or change.properties:
                changed.append(change)
            else:
                same += 1
        remaining, held = {i for i, _ in pairs}, {j for _, j in pairs}
        removed += [item for i, item in enumerate(old) if i not in remaining]
        added += [item for j, item in enumerate(new) if j not in held]
    return ObjectDifference(tuple(added), tuple(removed), tuple(changed), other_ids, same)


def _by_name(objects: Sequence[PlacedObject]) -> dict[str, list[NumberedObject]]:
    """Return the objects by name, numbered from 1 for each name."""
    result: dict[str, list[NumberedObject]] = {}
    for item in objects:
        of_name = result.setdefault(item.name, [])
        of_name.append(NumberedObject(len(of_name) + 1, item))
    return result


def _change(was: NumberedObject, now: NumberedObject) -> ObjectChange:
    properties = compare_values(was.placed.properties, now.placed.properties)
    return ObjectChange(was, now, properties)


def _match(was: Sequence[PlacedObject], now: Sequence[PlacedObject]) -> list[Pair]:
    """Pair objects of one name in two levels; return their indexes, sorted."""
    pairs = _in_one_cell(was, now)
    remaining, held = {i for i, _ in pairs}, {j for _, j in pairs}
    rest_was = [i for i in range(len(was)) if i not in remaining]
    rest_now = [j for j in range(len(now)) if j not in held]
    if rest_was and rest_now:
        result = _nearest(_cells([was[i] for i in rest_was]), _cells([now[j] for j in rest_now]))
        pairs += [(rest_was[i], rest_now[j]) for i, j in result]
    return sorted(pairs)


def _in_one_cell(was: Sequence[PlacedObject], now: Sequence[PlacedObject]) -> list[Pair]:
    """Pair the objects that share a cell, first those with equal properties."""
    pairs: list[Pair] = []
    left, free = list(range(len(was))), list(range(len(now)))
    for key in (_cell_and_properties, _cell):
        waiting: dict[object, deque[int]] = defaultdict(deque)
        for j in free:
            waiting[key(now[j])].append(j)
        for i in left:
            here = waiting.get(key(was[i]))
            if here:
                pairs.append((i, here.popleft()))
        remaining, held = {i for i, _ in pairs}, {j for _, j in pairs}
        left = [i for i in left if i not in remaining]
        free = [j for j in free if j not in held]
    return pairs


def _cell(item: PlacedObject) -> object:
    return item.x, item.y


def _cell_and_properties(item: PlacedObject) -> object:
    return item.x, item.y, json.dumps(dict(item.properties), sort_keys=True)


def _cells(objects: Sequence[PlacedObject]) -> NDArray[np.int64]:
    """Return the cells of objects: int64 [objects, 2], x and y."""
    return np.array([(item.x, item.y) for item in objects], np.int64).reshape(-1, 2)


def _nearest(was: NDArray[np.int64], now: NDArray[np.int64]) -> list[Pair]:
    """Pair the cells of `was` and `now` with the shortest total distance.

    Ties are broken by the least change of order. Beyond `_LARGEST_WORK` the order alone decides.
    """
    fewer, more = sorted((len(was), len(now)))
    if fewer * fewer * more > _LARGEST_WORK:
        return [(index, index) for index in range(fewer)]
    steps = np.abs(was[:, None] - now[None]).sum(axis=2)
    order = np.abs(np.arange(len(was))[:, None] - np.arange(len(now))[None])
    # All orders together are less than one step.
    cost = steps * (fewer * more + 1) + order
    if len(was) <= len(now):
        return list(enumerate(assignment(cost)))
    return [(i, j) for j, i in enumerate(assignment(np.ascontiguousarray(cost.T)))]


def assignment(cost: NDArray[np.int64]) -> list[int]:
    """Return a different column for each row, with the lowest total cost.

    This is the Hungarian algorithm with potentials and shortest augmenting paths (Kuhn 1955; in the
    form of Jonker and Volgenant 1987), in whole numbers: O(rows² · columns).

    Args:
        cost: The cost of each pair: int64 [rows, columns], with at least as many columns as rows.
    """
    rows, columns = cost.shape
    endless = np.iinfo(np.int64).max
    row_potential = np.zeros(rows + 1, np.int64)
    potential = np.zeros(columns + 1, np.int64)
    # The row of each column, from 1; 0 for none. Column 0 holds the row being added.
    owner = np.zeros(columns + 1, np.int64)
    for row in range(1, rows + 1):
        owner[0] = row
        column = 0
        shortest = np.full(columns + 1, endless, np.int64)
        before = np.zeros(columns + 1, np.int64)
        used = np.zeros(columns + 1, bool)
        while owner[column]:
            used[column] = True
            at = owner[column]
            reduced = cost[at - 1] - row_potential[at] - potential[1:]
            better = ~used[1:] & (reduced < shortest[1:])
            shortest[1:][better] = reduced[better]
            before[1:][better] = column
            following = int(np.where(used[1:], endless, shortest[1:]).argmin()) + 1
            delta = shortest[following]
            row_potential[owner[used]] += delta
            potential[used] -= delta
            shortest[~used] -= delta
            shortest[0] = endless
            column = following
        while column:
            previous = int(before[column])
            owner[column] = owner[previous]
            column = previous
    result = [0] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            result[owner[column] - 1] = column - 1
    return result
