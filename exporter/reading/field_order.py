"""Find where a new key belongs, by the reference page's order of keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from exporter.generators import GENERATORS
from exporter.model.errors import RegistryError
from exporter.model.parameters import key_of
from exporter.model.registry import Registry
from exporter.reading.level_keys import (
    LayerOptions,
    LevelDocument,
    PackParameters,
    SeedSearch,
    VisibilityParameters,
)
from exporter.reading.limit_keys import Budget, LevelRequirements, Limit, Requirements, SeedShare
from exporter.reading.yaml_reader import Path

_INSIDE: dict[Path, type[Any]] = {
    (): LevelDocument,
    ("seed",): SeedSearch,
    ("visibility",): VisibilityParameters,
    ("require",): LevelRequirements,
    ("require", "seeds"): SeedShare,
    ("budget",): Budget,
    ("pack",): PackParameters,
}


def position_of(data: Any, path: Path) -> int:
    """Return the index at which the new key `path` is added to its mapping.

    It follows all keys that precede it on the reference page. An unknown key, such as a new layer,
    comes last. `data` is the whole spec's data.
    """
    holder = data
    for step in path[:-1]:
        holder = holder[step]
    order = list(field_names(path[:-1], holder))
    present, key = list(holder), path[-1]
    if key not in order:
        return len(present)
    number = order.index(key)
    before = [position for position, item in enumerate(present) if item in order[:number]]
    if before:
        return before[-1] + 1
    behind = [position for position, item in enumerate(present) if item in order[number:]]
    return behind[0] if behind else len(present)


def field_names(path: Path, value: Any) -> Sequence[str]:
    """Return the keys that the mapping `value` at `path` can have, in order.

    If `value` names a generator, its parameters are among the keys. Return no keys if any key is
    allowed.
    """
    from exporter.model.tables.table import TableParameters
    from exporter.model.tileset import TilesetOptions
    from exporter.placement.parameters import ObjectParameters
    from exporter.puzzles import PUZZLES

    if path in _INSIDE:
        return _names(_INSIDE[path])
    if path == ("tileset",):
        return _names(TilesetOptions)
    if path[0] == "mission":
        from exporter.missions.parameters import MissionParameters
        from exporter.reading.validation import known_keys

        return known_keys(MissionParameters, path[1:])
    outer, rest = path[0], path[2:]
    if outer == "require":
        return _names(Limit)
    if len(path) == 2 and outer == "objects":
        return _names(ObjectParameters)
    if len(path) == 2 and outer == "tables":
        return _names(TableParameters)
    if len(path) == 2 and outer == "puzzles":
        return ["kind", *_registered(PUZZLES, value.get("kind"))]
    if len(path) == 2 and outer == "layers":
        common = _names(LayerOptions)
        own = _registered(GENERATORS, value.get("generator"))
        return [*(item for item in common if item != "require"), *own, "require"]
    if outer == "layers" and rest == ("require",):
        return _names(Requirements)
    if outer == "layers" and rest[:1] == ("require",):
        return _names(Limit)
    return ()


def _names(kind: type[Any]) -> list[str]:
    return [key_of(field.name) for field in fields(kind)]


def _registered(registry: Registry[Any], name: Any) -> list[str]:
    if not isinstance(name, str):
        return []
    try:
        return _names(registry.get(name).parameters)
    except RegistryError:
        return []
