"""Derive the JSON Schema of level specs from their dataclasses.

The schema uses draft 7, the newest that editors' YAML language servers read: tuples become `items`
lists, and definitions are under `definitions`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from exporter.generators import GENERATORS
from exporter.measures import metrics
from exporter.measures.names import name_pattern
from exporter.model.parameters import Parameters
from exporter.model.registry import Registry
from exporter.reading.adapters import adapter
from exporter.reading.level_keys import LayerOptions, LevelDocument
from exporter.reading.limit_keys import LevelRequirements, Limit, Requirements

if TYPE_CHECKING:
    from pydantic.json_schema import GenerateJsonSchema

_REFERENCE = "#/definitions/{model}"


def level_schema() -> dict[str, Any]:
    """Return the JSON Schema of `*.level.yaml` files."""
    from exporter.missions.parameters import MissionParameters
    from exporter.model.tables.table import TableParameters
    from exporter.model.tileset import TilesetOptions
    from exporter.placement.parameters import ObjectParameters
    from exporter.puzzles import PUZZLES
    from exporter.targets import TARGETS
    from exporter.tilesets.styles import STYLES
    from exporter.visibility.algorithms import ALGORITHMS

    definitions: dict[str, Any] = {}
    schema = _schema_of(LevelDocument, definitions)
    properties = schema["properties"]
    for name in ("layers", "tables", "puzzles"):
        # Named things: their content is inserted below.
        names = next(iter(properties[name].pop("patternProperties")))
        properties[name]["propertyNames"] = {"pattern": names}
    common = _schema_of(LayerOptions, definitions)["properties"]
    layers = [_layer_schema(name, common, definitions) for name in GENERATORS.names()]
    properties["layers"]["additionalProperties"] = {
        "type": "object",
        "required": ["generator"],
        # A conditional for each generator: editors then complete its own keys.
        "properties": {"generator": {"enum": [layer["title"] for layer in layers]}},
        "allOf": [_when("generator", layer) for layer in layers],
    }
    objects = properties["objects"]["items"] = _schema_of(ObjectParameters, definitions)
    objects["x-groups"] = _groups_of(ObjectParameters)
    properties["tables"]["additionalProperties"] = _schema_of(TableParameters, definitions)
    puzzles = [_keyed_schema("kind", PUZZLES, name, definitions) for name in PUZZLES.names()]
    properties["puzzles"]["additionalProperties"] = {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": [puzzle["title"] for puzzle in puzzles]}},
        "allOf": [_when("kind", puzzle) for puzzle in puzzles],
    }
    properties["tileset"] = {
        "description": properties["tileset"].get("description", ""),
        **_schema_of(TilesetOptions, definitions),
    }
    properties["mission"] = {
        "description": properties["mission"].get("description", ""),
        **_schema_of(MissionParameters, definitions),
    }
    style = properties["tileset"]["properties"]["style"]
    style["anyOf"] = [{"enum": STYLES.names()}, {"type": "null"}]
    _put_metrics(definitions)
    engines = {name: TARGETS.get(name) for name in TARGETS.names()}
    own = properties["tileset"]["properties"]["targets"]
    own["properties"] = {
        name: {
            "anyOf": [
                # Classes of two packages may have the same name.
                _schema_of(entry.tileset, definitions, f"target.{name}."),
                {"type": "null"},
            ]
        }
        for name, entry in engines.items()
        if entry.tileset is not None
    }
    own["additionalProperties"] = False
    visibility = definitions.get("VisibilityParameters", {}).get("properties", {})
    if "algorithm" in visibility:
        visibility["algorithm"]["enum"] = ALGORITHMS.names()
    document = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Level Exporter level spec",
        **{key: value for key, value in schema.items() if key != "title"},
        "definitions": dict(sorted(definitions.items())),
    }
    draft: dict[str, Any] = _as_draft_7(document)
    return draft


def _put_metrics(definitions: dict[str, Any]) -> None:
    """Allow metrics as keys of each `require`; for a layer only layer metrics."""
    limit = _REFERENCE.format(model="Limit")
    definitions["Limit"] = {**_schema_of(Limit, definitions), "minProperties": 1}
    for kind in (Requirements, LevelRequirements):
        schema = definitions[kind.__name__]
        for metric in metrics().values():
            if kind is Requirements and metric.needs:
                continue
            entry = {"$ref": limit}
            if metric.plain:
                # Keys beside a `$ref` mean nothing in draft 7.
                schema["properties"][metric.name] = {
                    "allOf": [entry],
                    "description": f"{metric.summary} [{metric.unit}]".removesuffix(" []"),
                }
            if metric.arguments:
                schema.setdefault("patternProperties", {})[name_pattern(metric)] = entry


def _schema_of(kind: type[Any], definitions: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the schema of `kind`; add the schemas it uses to `definitions`.

    Names of definitions begin with `prefix`.
    """
    reference = _REFERENCE.replace("{model}", f"{prefix}{{model}}")
    schema = adapter(kind).json_schema(ref_template=reference, schema_generator=_generator())
    for name, definition in schema.pop("$defs", {}).items():
        definitions[prefix + name] = definition
    return schema


@cache
def _generator() -> type[GenerateJsonSchema]:
    """Return pydantic's schema generator, changed to keep plain defaults."""
    from pydantic.json_schema import GenerateJsonSchema

    class SchemaGenerator(GenerateJsonSchema):
        def encode_default(self, dft: Any) -> Any:
            plain = dft is None or type(dft) in (bool, int, float, str)
            return dft if plain else super().encode_default(dft)

    return SchemaGenerator


def _layer_schema(name: str, common: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    schema = _keyed_schema("generator", GENERATORS, name, definitions)
    schema["properties"] = {**common, **schema["properties"]}
    schema["x-groups"] = _groups_of(GENERATORS.get(name).parameters, LayerOptions)
    summary = GENERATORS.get(name).summary
    origin = GENERATORS.origin(name)
    schema["description"] = f"{summary} ({origin})".strip() if origin else summary
    return schema


def _groups_of(*kinds: type[Parameters]) -> dict[str, list[str]]:
    """Return the fields in each group of options, by the group's title.

    Only the studio reads the groups, to arrange its controls.
    """
    groups = [group for kind in kinds for group in kind.option_groups.items()]
    return {title: list(names) for title, names in groups}


def _keyed_schema(
    key: str, registry: Registry[Any], name: str, definitions: dict[str, Any]
) -> dict[str, Any]:
    # Classes of two packages may have the same name.
    prefix = f"{key}.{name}." if registry.origin(name) else ""
    schema = _schema_of(registry.get(name).parameters, definitions, prefix)
    schema["title"] = name
    schema["properties"] = {key: {"const": name}, **schema.get("properties", {})}
    schema["required"] = [key, *schema.get("required", [])]
    return schema


def _when(key: str, schema: dict[str, Any]) -> dict[str, Any]:
    condition = {"properties": {key: {"const": schema["title"]}}, "required": [key]}
    return {"if": condition, "then": schema}


def _as_draft_7(value: Any) -> Any:
    """Convert keywords in `value` to draft 7: `prefixItems` becomes `items`.

    If a mapping's keys have a pattern, forbid all other keys, which pydantic does not do.
    """
    if isinstance(value, list):
        return [_as_draft_7(item) for item in value]
    if not isinstance(value, dict):
        return value
    rewritten = {key: _as_draft_7(item) for key, item in value.items()}
    if "prefixItems" in rewritten:
        rewritten["items"] = rewritten.pop("prefixItems")
        rewritten["additionalItems"] = False
    if "patternProperties" in rewritten:
        rewritten.setdefault("additionalProperties", False)
    return rewritten
