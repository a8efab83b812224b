"""Encode the differences of levels for programs; `compare.md` describes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from exporter.explore.comparison.differences import (
    CellChanges,
    LayerDifference,
    LevelDifference,
    ListChange,
    NamedChange,
    NumberedObject,
    ObjectChange,
    SightDifference,
    TableDifference,
    WalkableChanges,
)
from exporter.measures.names import named_metric
from exporter.model.level import Level

# Decimals of values computed from sums of fractions.
_DIGITS = 6


def difference_document(difference: LevelDifference) -> dict[str, Any]:
    """Return the differences as a JSON-able document, without the levels' origins."""
    found = difference
    return {
        "equal": found.equal,
        "was": _level(found.was),
        "now": _level(found.now),
        "compared": list(found.compared),
        "walkable": _walkable(found.walkable),
        "layers": {
            "added": list(found.added_layers),
            "removed": list(found.removed_layers),
            "reordered": found.reordered,
            "changed": [_layer(layer) for layer in found.layers],
        },
        "objects": {
            "same": found.objects.same,
            "other_ids": found.objects.other_ids,
            "added": [_object(one) for one in found.objects.added],
            "removed": [_object(one) for one in found.objects.removed],
            "changed": [_object_change(one) for one in found.objects.changed],
        },
        "visibility": None if found.sight is None else _sight(found.sight),
        "tables": [_table(table) for table in found.tables],
        "puzzles": [
            {"name": one.name, "kind": one.kind, "values": _changes(one.values)}
            for one in found.puzzles
        ],
        "properties": _changes(found.properties),
        "tileset": found.tileset,
        "metrics": {
            one.name: {
                "was": one.was,
                "now": one.now,
                "difference": one.difference,
                "unit": named_metric(one.name).metric.unit,
            }
            for one in found.metrics
        },
    }


def _level(level: Level) -> dict[str, Any]:
    size = [level.width, level.height]
    return {"level": level.name, "seed": level.seed, "rng": level.rng, "size": size}


def _layer(layer: LayerDifference) -> dict[str, Any]:
    return {
        "name": layer.name,
        "kind": layer.kind,
        "cells": None if layer.cells is None else _cells(layer.cells),
        "heights": None if layer.heights is None else _rounded(asdict(layer.heights)),
        "walkable": None if layer.walkable is None else _walkable(layer.walkable),
        "legend": _changes(layer.legend),
        "facts": _changes(layer.facts),
        "masks": dict(layer.masks),
        "rooms": _list(layer.rooms),
        "connections": _list(layer.connections),
    }


def _cells(cells: CellChanges) -> dict[str, Any]:
    return {
        "compared": cells.compared,
        "changed": cells.changed,
        "share": round(cells.share, _DIGITS),
        "box": None if cells.box is None else asdict(cells.box),
        "pairs": [asdict(pair) for pair in cells.pairs],
    }


def _rounded(values: dict[str, Any]) -> dict[str, Any]:
    """Round to six significant digits, as the last digit of a sum is noise."""
    return {
        name: float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value
        for name, value in values.items()
    }


def _walkable(walkable: WalkableChanges) -> dict[str, int]:
    return {"opened": walkable.opened, "closed": walkable.closed}


def _list(change: ListChange | None) -> dict[str, int] | None:
    return None if change is None else asdict(change)


def _object(one: NumberedObject) -> dict[str, Any]:
    placed = one.placed
    return {
        "name": placed.name,
        "number": one.number,
        "id": placed.id,
        "at": [placed.x, placed.y],
        "properties": dict(placed.properties),
    }


def _object_change(one: ObjectChange) -> dict[str, Any]:
    sides = {
        side: {"number": of.number, "id": of.placed.id, "at": [of.placed.x, of.placed.y]}
        for side, of in (("was", one.was), ("now", one.now))
    }
    return {
        "name": one.now.placed.name,
        **sides,
        "moved": one.moved,
        "steps": one.steps,
        "properties": _changes(one.properties),
    }


def _sight(sight: SightDifference) -> dict[str, Any]:
    return {
        "kind": sight.kind,
        "rule": _changes(sight.rule),
        "views": sight.views,
        "reason": sight.reason,
    }


def _table(table: TableDifference) -> dict[str, Any]:
    return {
        "name": table.name,
        "kind": table.kind,
        "columns": _changes(table.columns),
        "added": _lists(table.added),
        "removed": _lists(table.removed),
        "reordered": table.reordered,
    }


def _lists(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    return [list(row) for row in rows]


def _changes(changes: Iterable[NamedChange]) -> list[dict[str, Any]]:
    """Return changes; added values have no `was`, removed ones no `now`."""
    return [
        {
            "name": one.name,
            "kind": one.kind,
            **({} if one.kind == "added" else {"was": _value(one.was)}),
            **({} if one.kind == "removed" else {"now": _value(one.now)}),
        }
        for one in changes
    ]


def _value(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value
