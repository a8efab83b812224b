"""Read LDtk's entities: points and drawn areas, with their fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from exporter.handmade.ldtk.definitions import MAXIMUM_GRID, Definitions
from exporter.handmade.ldtk.project import LdtkLevel
from exporter.handmade.ldtk.values import MAXIMUM_NUMBER, Value
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import Scalar
from exporter.model.parameters import NAME_PATTERN

# Field types whose values are texts; enums are named `LocalEnum.Name` or `ExternEnum.Name`.
TEXTS = ("String", "Multilines", "Color", "FilePath", "Text")
ENUMS = ("LocalEnum.", "ExternEnum.")
# A text field of this name names an area.
NAME_FIELD = "name"


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity of a level; positions are pixels of the world.

    Attributes:
        iid: LDtk's unique identifier of the entity.
        kind: The identifier of the entity's definition.
        layer: The name of the entity's layer.
        x: Column of the pivot.
        y: Row of the pivot.
        column: Pixel column that decides in which cell the entity lies.
        row: Pixel row that decides in which cell the entity lies.
        area: Left, top, width and height; None unless the size is drawn and larger than a cell.
        fields: Fields with plain values.
        points: Fields that are points: the middle of a cell, in pixels of the world.
        references: Fields that refer to other entities, by iid.
        left_out: Names of fields with other values, which are not read.
    """

    iid: str
    kind: str
    layer: str
    x: int
    y: int
    column: int
    row: int
    area: tuple[float, float, int, int] | None
    fields: Mapping[str, Scalar]
    points: Mapping[str, tuple[float, float]]
    references: Mapping[str, str]
    left_out: tuple[str, ...]

    @property
    def name(self) -> str:
        """The text in the entity's field `name`, if it is a valid name, or ""."""
        for field, value in self.fields.items():
            named = field.lower() == NAME_FIELD and isinstance(value, str)
            if named and re.fullmatch(NAME_PATTERN, str(value)):
                return str(value)
        return ""


def read_entities(instances: Value, level: LdtkLevel, definitions: Definitions) -> Iterator[Entity]:
    """Yield the entities of `level`, in the order of its layers.

    `instances` is the JSON of these layers.

    Raises:
        ParameterError: The JSON is not as LDtk writes it.
    """
    for instance in instances.items():
        definition = definitions.layers.get(instance.key("layerDefUid").integer())
        if definition is None or definition.type != "Entities":
            continue
        size = instance.key("__gridSize").integer(1, MAXIMUM_GRID)
        for entity in instance.key("entityInstances").items():
            yield _entity(entity, definition.name, (level.x, level.y), size, definitions)


def _entity(
    value: Value, layer: str, corner: tuple[int, int], grid: int, definitions: Definitions
) -> Entity:
    x, y = (
        start + item.integer() for start, item in zip(corner, value.key("px").pair(), strict=True)
    )
    pivot_x, pivot_y = (item.number() for item in value.key("__pivot").pair())
    width, height = (value.key(key).integer(0) for key in ("width", "height"))
    definition = definitions.entities.get(value.key("defUid").integer())
    area = None
    if definition is not None and definition.resizable and (width > grid or height > grid):
        area = (x - width * pivot_x, y - height * pivot_y, width, height)
    fields = _Fields(corner, grid)
    for field in value.key("fieldInstances").items():
        fields.read(field)
    return Entity(
        iid=value.key("iid").text(),
        kind=value.key("__identifier").text(),
        layer=layer,
        x=x,
        y=y,
        # As LDtk itself does: a pivot at the far edge belongs to the cell before it.
        column=x - (pivot_x == 1),
        row=y - (pivot_y == 1),
        area=area,
        fields=fields.plain,
        points=fields.points,
        references=fields.references,
        left_out=tuple(fields.left_out),
    )


class _Fields:
    """Collects the fields of one LDtk entity, grouped by kind of value.

    Points are converted from cells to pixels of the world.

    Args:
        corner: The upper left corner of the level, in pixels of the world.
        grid: The side of a cell of the entity's layer, in pixels.
    """

    def __init__(self, corner: tuple[int, int], grid: int) -> None:
        self.corner = corner
        self.grid = grid
        self.plain: dict[str, Scalar] = {}
        self.points: dict[str, tuple[float, float]] = {}
        self.references: dict[str, str] = {}
        self.left_out: list[str] = []

    def read(self, field: Value) -> None:
        """Read the JSON of one field, and add it to the fields of its kind."""
        name = field.key("__identifier").text()
        kind = field.key("__type").text()
        value = field.key("__value")
        if kind == "Tile" or kind.startswith("Array<"):
            self.left_out.append(name)
        elif value.content is None:
            self.plain[name] = None
        elif kind == "Point":
            cells = [value.key(key).integer() for key in ("cx", "cy")]
            x, y = (
                start + (cell + 0.5) * self.grid
                for start, cell in zip(self.corner, cells, strict=True)
            )
            self.points[name] = (x, y)
        elif kind == "EntityRef":
            self.references[name] = value.key("entityIid").text()
        elif _fits(kind, value.content):
            self.plain[name] = float(value.content) if kind == "Float" else value.content
        elif kind in ("Int", "Float", "Bool", *TEXTS) or kind.startswith(ENUMS):
            raise ParameterError(
                f"{value.path} is not a valid value for a field of type {kind[:40]}"
            )
        else:
            self.left_out.append(name)


def _fits(kind: str, value: Any) -> bool:
    """Return whether `value` has the plain type that LDtk calls `kind`."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if kind == "Bool":
        return isinstance(value, bool)
    if kind == "Int":
        return whole and abs(value) <= MAXIMUM_NUMBER
    if kind == "Float":
        return (whole and abs(value) <= MAXIMUM_NUMBER) or (
            isinstance(value, float) and isfinite(value)
        )
    return (kind in TEXTS or kind.startswith(ENUMS)) and isinstance(value, str)
