"""Define how each section of a spec is read and which names it uses.

A section is a top-level key of the file, such as `layers`. The dataclass `LevelDocument` defines
all keys. `SECTIONS` lists those that need more: a function that reads the key into the field of
`LevelSpec` with the same name, a function that checks the names in it once all sections are read,
or both. So a new section needs a key, a field and an entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from exporter.generators import GENERATORS, GIVING, Generator, no_given_cells
from exporter.model.keys import value_key
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_PROBLEMS
from exporter.model.parameters import DEVICE_NAMES, NAME_PATTERN, NAME_RULE, Parameters
from exporter.model.property_values import plain_values
from exporter.model.suggestions import suggestions
from exporter.reading.expected import hint_at
from exporter.reading.level_keys import LayerOptions, LevelDocument
from exporter.reading.level_spec import LayerSpec, LevelSpec, PuzzleSpec
from exporter.reading.limit_keys import Requirements
from exporter.reading.metric_limits import plain_part, read_limits
from exporter.reading.names import RESERVED_NAMES, default_name
from exporter.reading.references import (
    Declared,
    SearchResult,
    layer_references,
    mission_references,
    object_references,
    property_references,
    requirement_references,
    visibility_references,
)
from exporter.reading.section_reader import SectionReader, Size
from exporter.reading.validation import known_keys, missing_key, other_words, unknown_key
from exporter.reading.yaml_reader import Path as ValuePath

if TYPE_CHECKING:
    from exporter.missions.parameters import MissionParameters
    from exporter.model.tileset import TilesetOptions
    from exporter.placement.parameters import ObjectParameters
    from exporter.placement.spawn_rows import TableFault


def _as_given(_reader: SectionReader, given: Any) -> Any:
    return given


def _no_references(_spec: LevelSpec, _declared: Declared) -> SearchResult:
    return iter(())


@dataclass(frozen=True, slots=True)
class Section:
    """How a top-level key of a spec, such as `layers`, is read and checked.

    Attributes:
        key: The top-level key, and the field of `LevelSpec`.
        read: Converts the key's value in `LevelDocument` (the default, if the value is invalid) to
            the field's value, and adds problems.
        references: Yields the path in the section and the message of each wrong name.
    """

    key: str
    read: Callable[[SectionReader, Any], Any] = _as_given
    references: Callable[[LevelSpec, Declared], SearchResult] = _no_references


def _read_level_name(reader: SectionReader, given: str | None) -> str:
    if not reader.has("level"):
        return ""
    name = given if given is not None else default_name(reader.document.file)
    path: ValuePath = ("level",) if given is not None else ()
    if not re.fullmatch(NAME_PATTERN, name):
        reader.note(path, f"{name!r} is not a valid level name ({NAME_RULE}; set `level:`)")
    elif DEVICE_NAMES.fullmatch(name):
        reader.note(path, f"{name!r} is a device name on Windows (choose another name)")
    return name


def _read_layers(reader: SectionReader, _given: object) -> dict[str, LayerSpec]:
    """Return the valid layers, and record their sizes."""
    layers: dict[str, LayerSpec] = {}
    folded: dict[str, str] = {}
    for name, data in reader.entries("layers").items():
        path: ValuePath = ("layers", name)
        if name.lower() in folded:
            other = folded[name.lower()]
            reader.note(
                path,
                f"{name!r} differs from {other!r} only in upper and lower case (rename one)",
                at_key=True,
            )
        folded[name.lower()] = name
        if name.lower() in RESERVED_NAMES:
            reader.note(
                path,
                f"{name!r} cannot name a layer, because output files use that name (choose "
                "another name)",
                at_key=True,
            )
        reader.sizes[name] = None
        layer = _read_layer(reader, name, data, path) if isinstance(data, dict) else None
        if layer is not None:
            layers[name] = layer
    return layers


def _read_layer(
    reader: SectionReader, name: str, data: dict[str, Any], path: ValuePath
) -> LayerSpec | None:
    if "generator" not in data:
        _note_missing_generator(reader, name, data, path)
        return None
    common_names = known_keys(LayerOptions, ())
    common = {key: value for key, value in data.items() if key in common_names}
    if "require" in common:
        common["require"] = plain_part(common["require"], Requirements)
    options = reader.parse_partial(LayerOptions, common, path)
    limits = read_limits(reader, data.get("require"), Requirements, (*path, "require"))
    if not isinstance(data["generator"], str):
        return None
    generator = reader.registered(GENERATORS, data["generator"], (*path, "generator"))
    if generator is None:
        return None
    if options.has("size") and options.value is not None:
        reader.sizes[name] = options.value.size or reader.size
    own = {key: value for key, value in data.items() if key not in common_names}
    parameters = _read_parameters(reader, generator, own, reader.sizes[name], path)
    if options.value is None or parameters is None:
        return None
    recipe = options.value.recipe
    if recipe is not None and recipe != generator.version:
        reader.note(
            (*path, "recipe"),
            f"recipe {recipe} of {generator.name!r} does not exist "
            f"(this exporter has {generator.version})",
        )
    return LayerSpec(name, options.value, parameters, limits)


def _read_parameters(
    reader: SectionReader,
    generator: Generator,
    data: dict[str, Any],
    size: Size | None,
    path: ValuePath,
) -> Parameters | None:
    """Return the valid parameters in `data` for `generator`.

    Return None if they are too few to be of use. `size` is the layer's width and height.
    """
    known = known_keys(generator.parameters, ())
    for key in data:
        if key not in known:
            _note_unknown_key(reader, key, generator.parameters, path)
    own = {key: value for key, value in data.items() if key in known}
    with reader.failures_reported(GENERATORS, generator.name, (*path, "generator")):
        read = reader.parse_partial(generator.parameters, own, path)
        value_key(read.value)  # every layer is kept under the key of its parameters
        if not read.omitted and read.value is not None:
            reader.consistent(read.value, size, path)
        return read.value
    return None


def _note_missing_generator(
    reader: SectionReader, name: str, data: dict[str, Any], path: ValuePath
) -> None:
    """Report why layer `name` has no generator.

    The key `generator` may be misspelled, or `name` be a key of the level instead of a layer.
    """
    if name in known_keys(LevelDocument, ()):
        message = f"`{name}:` is a key of the level, not a layer (begin it at the left margin)"
        reader.note(path, message, at_key=True)
        return
    meant = []
    for key in islice(data, MAXIMUM_PROBLEMS):
        words = suggestions(key, ["generator"], other_words(LayerOptions))
        if words or key.startswith("generator:"):
            meant.append(key)
    for key in meant[:1]:
        reader.note((*path, key), unknown_key(key, LayerOptions), at_key=True)
    if not meant:
        hint = hint_at(LayerOptions, ("generator",))
        reader.note(path, missing_key("generator", hint))


def _note_unknown_key(
    reader: SectionReader, key: str, parameters: type[Any], path: ValuePath
) -> None:
    message = unknown_key(key, parameters, further=[LayerOptions])
    if key in known_keys(LevelDocument, ()):
        message = f"{key!r} is a key of the level, not of a layer (begin it at the left margin)"
    if key in GIVING:
        message = no_given_cells(key)
    reader.note((*path, key), message, at_key=True)


def _read_mission(reader: SectionReader, given: Any) -> MissionParameters | None:
    if given is None:
        return None
    from exporter.missions.parameters import MissionParameters

    mission: MissionParameters | None = reader.check(MissionParameters, given, ("mission",))
    if mission is not None:
        reader.consistent(mission, reader.size, ("mission",))
    return mission


def _read_tables(reader: SectionReader, _given: object) -> dict[str, Any]:
    if not reader.entries("tables"):
        return {}
    from exporter.model.tables.table import TableParameters, build_table

    tables: dict[str, Any] = {}
    for name, data in reader.entries("tables").items():
        path: ValuePath = ("tables", name)
        if name.lower() in RESERVED_NAMES:
            reader.note(
                path,
                f"{name!r} cannot name a table, because output files use that name (choose "
                "another name)",
                at_key=True,
            )
        if not isinstance(data, dict):
            continue
        parameters = reader.check(TableParameters, data, path)
        if parameters is not None:
            # Rows are checked against their columns here, so that `check` sees them too.
            if reader.attempt(path, build_table, name, parameters):
                reader.good_tables[name] = parameters
            tables[name] = parameters
    return tables


def _read_objects(reader: SectionReader, _given: object) -> tuple[ObjectParameters, ...]:
    listed = reader.document.data.get("objects")
    if not isinstance(listed, list) or not listed:
        return ()
    from exporter.placement.parameters import ObjectParameters, fixed_places

    checked: list[ObjectParameters] = []
    table_faults: dict[tuple[str | None, ...], tuple[TableFault, ...]] = {}
    for index, data in enumerate(listed):
        path: ValuePath = ("objects", index)
        if not isinstance(data, dict):
            continue
        read = reader.parse_partial(ObjectParameters, data, path)
        if read.value is None:
            continue
        checked.append(read.value)
        reader.object_places.append(index)
        if not read.omitted:
            reader.consistent(read.value, reader.size, path)
        if read.value.spawn is not None:
            _check_spawn(reader, index, read.value, table_faults)
    if len(checked) == len(listed):
        reader.attempt(("objects",), fixed_places, checked)
    return tuple(checked)


def _check_spawn(
    reader: SectionReader,
    index: int,
    item: ObjectParameters,
    table_faults: dict[tuple[str | None, ...], tuple[TableFault, ...]],
) -> None:
    """Report the problems of the object group `item` with its spawn table.

    `index` is the group's index in the file; `table_faults` keeps the faults of tables that were
    checked before.
    """
    from exporter.placement.parameters import NO_COUNT
    from exporter.reading.spawn_tables import spawn_table_problems

    if "count" in reader.document.data["objects"][index]:  # even if it is the default
        reader.note(("objects", index, "count"), NO_COUNT)
    tables, names = reader.good_tables, tuple(reader.entries("tables"))
    for path, message in spawn_table_problems(index, item, tables, names, table_faults):
        reader.note(path, message)


def _read_puzzles(reader: SectionReader, _given: object) -> dict[str, PuzzleSpec]:
    if not reader.entries("puzzles"):
        return {}
    from exporter.puzzles import PUZZLES

    puzzles: dict[str, PuzzleSpec] = {}
    for name, data in reader.entries("puzzles").items():
        path: ValuePath = ("puzzles", name)
        if not isinstance(data, dict):
            continue
        kind = data.get("kind")
        if not isinstance(kind, str):
            reader.note(path, "'kind' is missing here" if kind is None else "kind must be text")
            continue
        entry = reader.registered(PUZZLES, kind, (*path, "kind"))
        if entry is None:
            continue
        own = {key: value for key, value in data.items() if key != "kind"}
        with reader.failures_reported(PUZZLES, kind, (*path, "kind")):
            parameters = reader.check(entry.parameters, own, path)
            value_key(parameters)
            if parameters is not None:
                reader.consistent(parameters, reader.size, path)
                puzzles[name] = PuzzleSpec(name, kind, parameters)
    return puzzles


def _read_tileset(reader: SectionReader, given: Any) -> TilesetOptions | None:
    if given is None:
        return None
    from exporter.model.tileset import TilesetOptions
    from exporter.tilesets.styles import STYLES

    options: TilesetOptions | None = reader.check(TilesetOptions, given, ("tileset",))
    if options is None:
        return None
    if options.style is not None:
        reader.registered(STYLES, options.style, ("tileset", "style"))
        if options.image is not None:
            message = (
                "`style` has no effect with `image`: it is for drawn tiles (remove one of them)"
            )
            reader.note(("tileset", "style"), message)
    if options.targets:
        options = replace(options, targets=_read_target_tilesets(reader, options.targets))
    return options


def _read_target_tilesets(
    reader: SectionReader, given: Mapping[str, Any]
) -> dict[str, Parameters | None]:
    """Return the checked options of tilesets drawn by the user, by engine.

    Invalid options are left out. None asks for the exporter's own tiles.
    """
    from exporter.targets import TARGETS

    checked: dict[str, Parameters | None] = {}
    for name, data in given.items():
        path: ValuePath = ("tileset", "targets", name)
        entry = reader.registered(TARGETS, name, path, at_key=True)
        if entry is None:
            continue
        if entry.tileset is None:
            message = f"levels for {entry.title} cannot have a tileset of the team's"
            reader.note(path, message, at_key=True)
        elif data is None:
            checked[name] = None
        else:
            with reader.failures_reported(TARGETS, name, path):
                tileset = reader.check(entry.tileset, data, path)
                value_key(tileset)
                if tileset is not None:
                    checked[name] = tileset
    return checked


# In the order of reading: objects are drawn from tables.
SECTIONS = (
    Section("level", _read_level_name),
    Section("layers", _read_layers, layer_references),
    Section("mission", _read_mission, mission_references),
    Section("tables", _read_tables),
    Section("objects", _read_objects, object_references),
    Section("puzzles", _read_puzzles),
    Section("tileset", _read_tileset),
    Section("properties", lambda _, given: plain_values(given), property_references),
    Section("visibility", references=visibility_references),
    Section("require", references=requirement_references),
)


def broken_references(spec: LevelSpec, declared: Declared) -> SearchResult:
    """Yield path and message of each name in `spec` that does not exist."""
    for section in SECTIONS:
        for path, message in section.references(spec, declared):
            yield (section.key, *path), message
