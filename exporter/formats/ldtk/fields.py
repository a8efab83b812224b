"""Write LDtk's fields of levels and entities, typed by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from exporter.formats.tiled.map import property_type, property_value
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Scalar

# LDtk's types by Tiled's, whose integers have 32 bits as well.
_TYPES = {"bool": "Bool", "int": "Int", "float": "Float", "string": "String"}


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its spec name, LDtk's identifier and number, and its type."""

    name: str
    identifier: str
    uid: int
    type: str


def fields_of(
    values: Iterable[Mapping[str, Scalar]],
    identifiers: Mapping[str, str],
    number: Callable[[], int],
) -> list[Field]:
    """Return a field for each name, of a type for all its values.

    Args:
        values: The values of levels or entities.
        identifiers: How LDtk calls each name.
        number: Returns a number for a field.
    """
    types: dict[str, set[str]] = {}
    for reported in values:
        for name, value in reported.items():
            result = types.setdefault(name, set())
            if value is not None:
                result.add(_TYPES[property_type(value)])
    return [Field(name, identifiers[name], number(), _common(types[name])) for name in types]


def _common(types: set[str]) -> str:
    if len(types) == 1:
        return next(iter(types))
    return "Float" if types == {"Int", "Float"} else "String"


def field_definition(field: Field) -> dict[str, Any]:
    """Return the definition of a field."""
    return {
        "identifier": field.identifier,
        "doc": None,
        "__type": field.type,
        "uid": field.uid,
        "type": f"F_{field.type}",
        "isArray": False,
        "canBeNull": True,
        "arrayMinLength": None,
        "arrayMaxLength": None,
        "editorDisplayMode": "Hidden",
        "editorDisplayScale": 1,
        "editorDisplayPos": "Above",
        "editorLinkStyle": "StraightArrow",
        "editorDisplayColor": None,
        "editorAlwaysShow": False,
        "editorShowInWorld": True,
        "editorCutLongValues": True,
        "editorTextSuffix": None,
        "editorTextPrefix": None,
        "useForSmartColor": False,
        "exportToToc": False,
        "searchable": False,
        "min": None,
        "max": None,
        "regex": None,
        "acceptFileTypes": None,
        "defaultOverride": None,
        "textLanguageMode": None,
        "symmetricalRef": False,
        "autoChainRef": True,
        "allowOutOfLevelRef": True,
        "allowedRefs": "OnlySame",
        "allowedRefsEntityUid": None,
        "allowedRefTags": [],
        "tilesetUid": None,
    }


def field_instances(
    fields: Iterable[Field], reported: Mapping[str, Scalar]
) -> list[dict[str, Any]]:
    """Return one level's or entity's fields; missing values are null."""
    return [_instance(field, reported.get(field.name)) for field in fields]


def _instance(field: Field, value: Scalar) -> dict[str, Any]:
    displayed = _value(field, value)
    # LDtk reads this; other programs read `__value`.
    own = [] if displayed is None else [{"id": f"V_{field.type}", "params": [displayed]}]
    return {
        "__identifier": field.identifier,
        "__type": field.type,
        "__value": displayed,
        "__tile": None,
        "defUid": field.uid,
        "realEditorValues": own,
    }


def _value(field: Field, value: Scalar) -> Scalar:
    if value is None:
        return None
    if field.type == "String":
        text = property_value(value)
        return str(text).lower() if isinstance(text, bool) else str(text)
    return float(value) if field.type == "Float" else value
