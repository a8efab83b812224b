"""Define the fields of LDtk's levels and entities, and their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from exporter.formats.tiled.map import property_type, property_value
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import PropertyValue
from exporter.model.property_values import type_and_content

# LDtk's types by Tiled's types; in both, integers have 32 bits.
_TYPES = {
    "bool": "Bool",
    "int": "Int",
    "float": "Float",
    "string": "String",
    "color": "Color",
    "object": "EntityRef",
}
# The types of values that LDtk stores in another form: a number, or an iid.
_STORED_TYPES = {"Color": "Int", "EntityRef": "String"}
# An entity as other programs find it: the iids of it, its layer, level and world.
Reference = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Field:
    """The definition of an LDtk field, made from a property.

    Attributes:
        name: The property's name.
        identifier: The field's identifier in LDtk.
        uid: The field's `uid` in the project.
        type: The LDtk type of the field's values.
    """

    name: str
    identifier: str
    uid: int
    type: str


def fields_of(
    values: Iterable[Mapping[str, PropertyValue]],
    identifiers: Mapping[str, str],
    number: Callable[[], int],
) -> list[Field]:
    """Return a field for each property name, with a type that fits all values.

    `values` has the properties of each level or entity that has the fields. `identifiers` has the
    LDtk identifier of each property name; `number` returns an unused `uid`.
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
    """Return the definition of `field` as LDtk's JSON."""
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
        "allowedRefs": "Any" if field.type == "EntityRef" else "OnlySame",
        "allowedRefsEntityUid": None,
        "allowedRefTags": [],
        "tilesetUid": None,
    }


def field_instances(
    fields: Iterable[Field],
    reported: Mapping[str, PropertyValue],
    references: Mapping[str, Reference],
) -> list[dict[str, Any]]:
    """Return the values of `fields` for one level or entity, as LDtk's JSON.

    `reported` has the values by property name; a missing one becomes null. `references` has the
    entities that values can refer to, by the names of their objects.
    """
    return [_instance(field, reported.get(field.name), references) for field in fields]


def _instance(
    field: Field, value: PropertyValue, references: Mapping[str, Reference]
) -> dict[str, Any]:
    displayed = _value(field, value, references)
    # LDtk reads this; other programs read `__value`.
    stored = displayed
    if field.type == "Color" and displayed is not None:
        stored = int(displayed[1:], 16)
    elif field.type == "EntityRef" and displayed is not None:
        stored = displayed["entityIid"]
    kind = _STORED_TYPES.get(field.type, field.type)
    own = [] if stored is None else [{"id": f"V_{kind}", "params": [stored]}]
    return {
        "__identifier": field.identifier,
        "__type": field.type,
        "__value": displayed,
        "__tile": None,
        "defUid": field.uid,
        "realEditorValues": own,
    }


def _value(field: Field, value: PropertyValue, references: Mapping[str, Reference]) -> Any:
    if value is None:
        return None
    _, content = type_and_content(value)
    if field.type == "Color":
        return content[:7].upper()
    if field.type == "EntityRef":
        return references.get(content)
    if field.type == "String":
        text = property_value(value)
        return str(text).lower() if isinstance(text, bool) else str(text)
    return float(content) if field.type == "Float" else content
