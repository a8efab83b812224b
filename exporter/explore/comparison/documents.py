"""Encode the differences of levels as JSON data."""

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
)
from exporter.measures.names import named_metric
from exporter.model.level import Level

# Digits of values that are computed from sums of fractions.
_DIGITS = 6


def difference_document(difference: LevelDifference) -> dict[str, Any]:
    """Return the differences of two levels as JSON data.

    Differences of exported files are not included; see `outputs_document`.
    """
    result = difference
    return {
        "equal": result.equal,
        "was": _level(result.was),
        "now": _level(result.now),
        "compared": list(result.compared),
        "walkable": asdict(result.walkable),
        "layers": {
            "added": list(result.added_layers),
            "removed": list(result.removed_layers),
            "reordered": result.reordered,
            "changed": [_layer(layer) for layer in result.layers],
        },
        "objects": {
            "same": result.objects.same,
            "other_ids": result.objects.other_ids,
            "added": [_object(item) for item in result.objects.added],
            "removed": [_object(item) for item in result.objects.removed],
            "changed": [_object_change(item) for item in result.objects.changed],
        },
        "visibility": None if result.sight is None else _sight(result.sight),
        "tables": [_table(table) for table in result.tables],
        "puzzles": [
            {"name": puzzle.name, "kind": puzzle.kind, "values": _changes(puzzle.values)}
            for puzzle in result.puzzles
        ],
        "properties": _changes(result.properties),
        "tileset": result.tileset,
        "metrics": {
            metric.name: {
                "was": metric.was,
                "now": metric.now,
                "difference": metric.difference,
                "unit": named_metric(metric.name).metric.unit,
            }
            for metric in result.metrics
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
        "heights": None if layer.heights is None else _round_values(asdict(layer.heights)),
        "walkable": None if layer.walkable is None else asdict(layer.walkable),
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


def _round_values(values: dict[str, Any]) -> dict[str, Any]:
    """Round numbers to six digits: the last digits of computed sums are noise."""
    return {
        name: float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value
        for name, value in values.items()
    }


def _list(change: ListChange | None) -> dict[str, int] | None:
    return None if change is None else asdict(change)


def _object(item: NumberedObject) -> dict[str, Any]:
    placed = item.placed
    return {
        "name": placed.name,
        "number": item.number,
        "id": placed.id,
        "at": [placed.x, placed.y],
        "properties": dict(placed.properties),
    }


def _object_change(item: ObjectChange) -> dict[str, Any]:
    sides = {
        side: {"number": of.number, "id": of.placed.id, "at": [of.placed.x, of.placed.y]}
        for side, of in (("was", item.was), ("now", item.now))
    }
    return {
        "name": item.now.placed.name,
        **sides,
        "moved": item.moved,
        "steps": item.steps,
        "properties": _changes(item.properties),
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
    """Encode changes; added values have no `was`, removed values no `now`."""
    return [
        {
            "name": change.name,
            "kind": change.kind,
            **({} if change.kind == "added" else {"was": _value(change.was)}),
            **({} if change.kind == "removed" else {"now": _value(change.now)}),
        }
        for change in changes
    ]


def _value(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value
