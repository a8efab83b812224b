"""Check that the names in a spec refer to layers and objects that exist.

A layer can use the layers above it. Late layers, derived from sight or from all objects, are built
last (`exporter.reading.build_order`), so they can use every layer of the spec.

References that depend on a faulty name or size are not checked: the fault is reported elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from exporter.generators import GENERATORS
from exporter.model.errors import ParameterError, RegistryError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import LayerRole, PropertyValue
from exporter.model.parameters import Reference, references
from exporter.model.property_values import named_objects, plain_values
from exporter.model.suggestions import unknown_name
from exporter.reading.build_order import ground_layers, late_layers, may_hold_tiles
from exporter.reading.level_spec import LayerSpec, LevelSpec
from exporter.reading.roles import layer_roles, replacement
from exporter.reading.validation import nothing_omitted
from exporter.reading.yaml_reader import Path as ValuePath

if TYPE_CHECKING:
    from exporter.missions.parameters import MissionParameters
    from exporter.model.level import Tile
    from exporter.placement.parameters import ObjectParameters

SearchResult = Iterator[tuple[ValuePath, str]]
Size = tuple[int, int]
NO_SIGHT_LAYER = (
    "the level has no `play` layer for visibility (add tiles of its size, name another tile layer "
    "with `layer`, or remove `visibility`)"
)

# Message if the only play layers are made too late.
BUILT_LATER = (
    "the `play` layer '%s' is built after the objects, so it cannot hold them (write `role: play` "
    "in another tile layer, or name the layer of these objects with `layer`)"
)
SEES_ITSELF = (
    "the `play` layer '%s' is derived from visibility and cannot block sight (name another tile "
    "layer with `layer`)"
)
NO_WALKABLE_CELLS = (
    "the level has no `play` layer, so it has no walkable cells for these limits (write "
    "`role: play` in a tile layer, or move `require` into a layer)"
)

NAME_GROUND = "name the layer to walk on with `of`"
NO_GROUND = (
    "the level has no `play` layer to walk on (write `role: play` in a tile layer, or "
    f"{NAME_GROUND})"
)


@dataclass(frozen=True, slots=True)
class ObjectNames(Collection[str]):
    """The names that the objects of a level can have.

    Attributes:
        listed: The names in the spec.
        open: Whether a layer can add objects with other names from a file. Then every name is
            accepted until the level is built.
    """

    listed: tuple[str, ...]
    open: bool = False

    def __contains__(self, name: object) -> bool:
        return self.open or name in self.listed

    def __iter__(self) -> Iterator[str]:
        return iter(self.listed)

    def __len__(self) -> int:
        return len(self.listed)


def object_names(spec: LevelSpec) -> ObjectNames:
    """Return the names that objects in a level of `spec` can have."""
    return names_of([item.name for item in spec.objects], spec.layers, spec.mission)


def names_of(
    listed: Iterable[str], layers: Mapping[str, LayerSpec], mission: MissionParameters | None = None
) -> ObjectNames:
    """Return the names of all objects: of groups, layers and the mission.

    `listed` are the names of the object groups.
    """
    names = dict.fromkeys(listed)
    names.update(dict.fromkeys(mission.object_names() if mission is not None else ()))
    result = [layer.parameters.object_names() for layer in layers.values()]
    names.update(dict.fromkeys(name for some in result for name in some or ()))
    return ObjectNames(tuple(names), open=None in result)


@dataclass(frozen=True, slots=True)
class Declared:
    """The names and sizes that a spec declares, even in invalid sections.

    Attributes:
        layers: The names of all layers, in order.
        all_read: Whether every layer is valid.
        objects: The names of all objects, as far as known.
        sight: Whether there is a `visibility:`.
        size: The level's width and height; None if invalid.
        sizes: The width and height of each layer; None if invalid.
        late: The names of the layers that are built after the objects.
        roles: The role of each valid layer.
        omitted: The paths of invalid values, which were left out.
        object_places: For each valid entry of `objects`, its index in the file.
        all_objects_read: Whether every entry of `objects` is valid.
    """

    layers: tuple[str, ...]
    all_read: bool
    objects: ObjectNames
    sight: bool
    size: Size | None
    sizes: Mapping[str, Size | None]
    late: frozenset[str]
    roles: Mapping[str, LayerRole]
    omitted: Collection[ValuePath] = ()
    object_places: Sequence[int] = ()
    all_objects_read: bool = True

    def has(self, *path: str | int) -> bool:
        """Return whether `path` is valid: nothing in or around it was left out."""
        return nothing_omitted(path, self.omitted)

    def other_size(self, name: str) -> bool:
        """Return whether layer `name` surely has another size than the level.

        An invalid size counts as unknown, so the result is False.
        """
        size = self.sizes.get(name)
        return size is not None and self.size is not None and size != self.size


def names_in(spec: LevelSpec) -> Declared:
    """Return the names and sizes that `spec`, a valid spec, declares."""
    return Declared(
        layers=tuple(spec.layers),
        all_read=True,
        objects=object_names(spec),
        sight=spec.visibility is not None,
        size=spec.size,
        sizes={name: layer.options.size or spec.size for name, layer in spec.layers.items()},
        late=late_layers(spec.layers),
        roles=layer_roles(spec.layers),
        object_places=range(len(spec.objects)),
    )


def layer_references(spec: LevelSpec, declared: Declared) -> SearchResult:
    """Yield path and message of each faulty reference in `layers`.

    Faults are wrong names, and the lack of a `visibility:` or of walkable layers that a layer
    needs.
    """
    for name, layer in spec.layers.items():
        for path, message in _size_and_sight_problems(layer, declared):
            yield (name, *path), message
        if layer.parameters.needs_ground():
            message = _ground_problem(layer, spec.layers, declared)
            if message:
                yield (name, "generator"), message
        for reference in references(layer.parameters):
            message = _reference_problem(layer, reference, declared)
            if message:
                yield (name, *reference.path), message


def _size_and_sight_problems(layer: LayerSpec, declared: Declared) -> SearchResult:
    if layer.parameters.needs_visibility:
        if not declared.sight:
            what = (
                f"{layer.generator!r} needs the level's `visibility:` block "
                "(add `visibility: {radius: 8}` at the left margin)"
            )
            yield ("generator",), what
        if declared.other_size(layer.name):
            what = "a layer derived from visibility cannot have a `size` of its own (remove it)"
            yield ("size",), what
    elif layer.parameters.needs_level_size and declared.other_size(layer.name):
        what = (
            "a layer that measures from objects and cells of the level has the level's size "
            "(remove `size`)"
        )
        yield ("size",), what


def object_references(spec: LevelSpec, declared: Declared) -> SearchResult:
    """Yield path and message of each faulty reference in `objects`.

    Faults are wrong names, and a missing layer to stand on.
    """
    for index, item in zip(declared.object_places, spec.objects, strict=True):
        for path, message in _object_problems(item, declared):
            yield (index, *path), message
        if declared.has("objects", index, "layer"):
            for path, message in _placing_problems(item, spec.layers, declared):
                yield (index, *path), message


def _object_problems(item: ObjectParameters, declared: Declared) -> SearchResult:
    for path, message in _unknown_objects(plain_values(item.properties), declared):
        yield ("properties", *path), message
    for rule, name, path in references(item):
        if rule.to == "layer":
            if name not in declared.layers:
                yield path, unknown_name("layer", name, declared.layers)
        elif name not in declared.objects:
            yield path, unknown_name("object", name, sorted(declared.objects))
        elif name == item.name:
            yield path, f"{name!r} cannot refer to itself (use `spacing` to keep them apart)"


def property_references(spec: LevelSpec, declared: Declared) -> SearchResult:
    """Yield path and message of each level property with an unknown object."""
    yield from _unknown_objects(spec.properties, declared)


def _unknown_objects(properties: Mapping[str, PropertyValue], declared: Declared) -> SearchResult:
    for path, name in named_objects(properties):
        if name not in declared.objects:
            yield path, unknown_name("object", name, sorted(declared.objects))


def _no_play_layer(layers: Mapping[str, LayerSpec]) -> str:
    """Return the message that objects have no layer to stand on.

    It names the layer that replaces another `play` layer, if any.
    """
    from exporter.placement.ground import NO_PLAY_LAYER

    replaced = replacement(layers)
    if replaced is None:
        return NO_PLAY_LAYER
    reason = "objects: {!r} is `data`, because {!r} replaces it (".format(*replaced)
    return NO_PLAY_LAYER.replace("objects (", reason, 1)


def _placing_problems(
    item: ObjectParameters, layers: Mapping[str, LayerSpec], declared: Declared
) -> SearchResult:
    yield from _mask_problems(item, layers, declared)
    name = item.layer
    grounds = _play_layers(layers, declared) if name is None else [name]
    if name is None:
        if declared.all_read and not grounds:
            late = _play_layers(layers, declared, late=True)
            yield (), BUILT_LATER % late[0] if late else _no_play_layer(layers)
    elif declared.other_size(name):
        message = (
            f"objects cannot be placed on layer {name!r}: it has no walkable cells of the level's "
            "size"
        )
        yield ("layer",), message
    if item.on_tile is None or (name is None and not declared.all_read):
        return
    legends = [_declared_tiles(layers.get(n)) for n in grounds]
    known = list(dict.fromkeys(tile.name for tiles in legends for tile in tiles or ()))
    if all(legends) and known and item.on_tile not in known:
        yield ("on_tile",), unknown_name("tile", item.on_tile, known)


def _mask_problems(
    item: ObjectParameters, layers: Mapping[str, LayerSpec], declared: Declared
) -> SearchResult:
    from exporter.placement.ground import no_heights, no_mask, other_heights

    for parameter in ("only_in", "never_in"):
        mask = getattr(item, parameter)
        if mask is not None and declared.other_size(mask):
            yield (parameter,), no_mask(mask)
    if item.steps is not None and item.steps in layers:
        if GENERATORS.get(layers[item.steps].generator).makes == "tiles":
            yield ("steps",), no_heights(item.steps)
        elif declared.other_size(item.steps):
            yield ("steps",), other_heights(item.steps)


def _declared_tiles(layer: LayerSpec | None) -> tuple[Tile, ...] | None:
    """Return all tiles that `layer` can have.

    Return None if only the finished layer shows which tiles it has, or if there is no layer.
    """
    if layer is None or layer.parameters.may_have_other_tiles():
        return None
    return GENERATORS.get(layer.generator).tiles


def visibility_references(spec: LevelSpec, declared: Declared) -> SearchResult:
    """Yield path and message of each wrong name or rule in `visibility`."""
    visibility = spec.visibility
    if visibility is None:
        return
    from exporter.visibility.algorithms import ALGORITHMS

    yield from _sight_layer_problems(visibility.layer, spec.layers, declared)
    try:
        rule = ALGORITHMS.get(visibility.algorithm)
    except RegistryError as error:
        yield ("algorithm",), str(error)
        return
    if visibility.see_walls and not rule.optional_walls:
        having = [name for name in ALGORITHMS.built_in() if ALGORITHMS.get(name).optional_walls]
        yield (
            ("see_walls",),
            f"`see_walls` has no effect with `{visibility.algorithm}` (remove it, or write "
            f"`algorithm: {having[0]}`)",
        )


def _sight_layer_problems(
    name: str | None, layers: Mapping[str, LayerSpec], declared: Declared
) -> SearchResult:
    known = name is not None and name in declared.layers
    if not known and declared.all_read and not _play_layers(layers, declared):
        late = _play_layers(layers, declared, late=True)
        yield (), SEES_ITSELF % late[0] if late else NO_SIGHT_LAYER
    if name is None:
        return
    if name not in declared.layers:
        yield ("layer",), unknown_name("layer", name, declared.layers)
    elif name in declared.late:
        message = f"the layer {name!r} is derived from visibility and cannot block sight"
        yield ("layer",), message
    elif name in layers and not may_hold_tiles(layers[name], declared.size):
        yield ("layer",), f"{name!r} is not a tile layer of the level's size"


def requirement_references(spec: LevelSpec, declared: Declared) -> SearchResult:
    """Yield path and message of each limit in `require` that is impossible.

    Limits on walkable cells need a layer with tiles to walk on; `start` needs objects of its name.
    """
    require = spec.require
    if require is None:
        return
    grounds = _play_layers(spec.layers, declared, late=True)
    if require.limits_cells() and declared.all_read and not grounds:
        yield (), NO_WALKABLE_CELLS
    try:
        require.check(1, 1)
    except ParameterError as error:
        yield error.path, error.message
    if require.start is not None and require.start not in declared.objects:
        yield ("start",), unknown_name("object", require.start, sorted(declared.objects))


def mission_references(spec: LevelSpec, declared: Declared) -> SearchResult:
    """Yield path and message of each reason why the mission cannot be placed."""
    if spec.mission is None:
        return
    name = spec.mission.of
    if name is not None and name not in declared.layers:
        yield ("of",), unknown_name("layer", name, declared.layers)
    elif name is not None and (name in declared.late or declared.other_size(name)):
        yield (
            ("of",),
            f"no lock can be placed in {name!r}: it is not a map of the level's size (name another "
            "layer)",
        )
    if declared.all_read and not _play_layers(spec.layers, declared):
        yield (), NO_GROUND


def _play_layers(
    layers: Mapping[str, LayerSpec], declared: Declared, *, late: bool = False
) -> list[str]:
    """Return the names of the layers with the role `play`, in spec order.

    Layers that cannot hold tiles of the level's size are left out, and so are layers in
    `declared.late` (built last), unless `late` is true.
    """
    left_out = frozenset[str]() if late else declared.late
    return ground_layers(layers, declared.roles, left_out, declared.size)


def _ground_problem(layer: LayerSpec, layers: Mapping[str, LayerSpec], declared: Declared) -> str:
    """Return why `layer` has no `play` layers on which to measure walks.

    Return "" if it has some, or if not every layer is valid.
    """
    if not declared.all_read:
        return ""
    grounds = _play_layers(layers, declared)
    if not grounds:
        return NO_GROUND
    if grounds == [layer.name]:
        return f"the only `play` layer is {layer.name!r} itself ({NAME_GROUND})"
    return ""


def _reference_problem(layer: LayerSpec, reference: Reference, declared: Declared) -> str:
    if reference.rule.to == "object":
        if reference.name in declared.objects:
            return ""
        return unknown_name("object", reference.name, sorted(declared.objects))
    message = _order_problem(layer.name, reference.name, declared)
    if message or not reference.rule.same_size:
        return message
    size, other = declared.sizes.get(layer.name), declared.sizes.get(reference.name)
    if size is None or other is None or size == other:
        return ""
    return (
        f"the layer {reference.name!r} has {other[0]} x {other[1]} cells, "
        f"this one {size[0]} x {size[1]} (both need the same: change or remove `size`)"
    )


def _order_problem(name: str, expected: str, declared: Declared) -> str:
    """Return why layer `name` cannot use layer `expected`, or "".

    It cannot use itself, a missing layer, or one that is built later.
    """
    if expected == name:
        return f"the layer {name!r} cannot refer to itself (name another layer)"
    names: Sequence[str] = declared.layers
    position = names.index(name)
    above = names[:position]
    if name in declared.late and expected in names[position:] and expected not in declared.late:
        return ""  # all maps are finished by then
    if expected in above:
        return ""
    if expected in names:
        return f"the layer {expected!r} is defined after {name!r} (only earlier layers can be used)"
    return unknown_name("layer", expected, above)
