"""Place a level's mission before other objects, and prove it at the end.

A mission is a start, a goal, and locks with keys between them. Start, goal, keys and lock markers
that the level lacks are placed before other objects. The finished level, with hand edits, must then
pass a proof: no order of play makes the goal unreachable.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from exporter.build.edits import edit_layer
from exporter.build.inputs import Inputs
from exporter.build.stages import Stage
from exporter.missions.demands import MissionGround, MissionPlan
from exporter.missions.placing import place_mission
from exporter.missions.proof import MissionProof, prove
from exporter.missions.states import Cell, Key, MissionMap, level_map
from exporter.missions.walks import shortest_walk, walk_texts
from exporter.model.errors import ParameterError, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level, PlacedObject, walkable_cells
from exporter.model.mission import Lock, Mission
from exporter.streams import PortableStream, open_stream

if TYPE_CHECKING:
    from exporter.build.object_groups import ObjectGroups
    from exporter.missions.parameters import MissionParameters
    from exporter.reading.level_spec import LevelSpec

_SIDES = {(0, -1): "up", (0, 1): "down", (-1, 0): "left", (1, 0): "right"}


@dataclass(frozen=True, slots=True)
class PlacedMission:
    """The locks of a mission, and the objects that were placed for it.

    The objects are the start, the goal, keys and lock markers that the level lacked.
    """

    locks: tuple[Lock, ...]
    objects: tuple[PlacedObject, ...]


def placing_stage() -> Stage[PlacedMission]:
    """Return the stage that places the locks and objects of the mission."""
    return Stage(("mission", "1"), _place_mission, _encode, _decode_placed, "mission")


def proof_stage() -> Stage[Mission]:
    """Return the stage that proves that a level's goal cannot be lost.

    The stage's result is the mission.
    """
    return Stage(("proof of mission", "1"), _prove, _encode, _decode_mission, "mission proof")


# --- placing --------------------------------------------------------------------------------------


def _place_mission(inputs: Inputs) -> PlacedMission:
    """Place start, goal, keys and lock markers that the level lacks.

    Raises:
        SpecError: The level has no suitable cell for one of them.
    """
    parameters: MissionParameters = inputs.spec("mission")
    placed: PlacedMission = inputs.attempt(("mission",), _placed, parameters, inputs)
    return placed


def _placed(parameters: MissionParameters, inputs: Inputs) -> PlacedMission:
    ground = _ground(parameters, inputs)
    # No reference program has missions: they use the portable stream.
    stream = open_stream("portable", inputs.spec("seed"), "mission")
    assert isinstance(stream, PortableStream)
    try:
        plan = place_mission(parameters, ground, stream)
    except ParameterError as error:
        if error.path[:1] == ("keys",):
            raise _key_error(inputs, ground.keys[int(error.path[1])], error.message) from None
        raise
    return PlacedMission(plan.locks, tuple(_objects(parameters, ground, plan)))


def _key_error(inputs: Inputs, key: Key, message: str) -> SpecError:
    """Return an error at the entry of a key in the spec's `objects`.

    The error is at the mission if the key has no such entry, for example because a drawn map has
    it.
    """
    names = {item.name for item in inputs.placed_keys() if item.opens == key.opens}
    path: tuple[str | int, ...] = ("mission",)
    for index, group in enumerate(inputs.spec("objects")):
        if group.name in names and group.properties.get("opens") == key.opens:
            path = "objects", index
    return inputs.error(path, f"{message} (place this key in front of the lock {key.opens!r})")


def _ground(parameters: MissionParameters, inputs: Inputs) -> MissionGround:
    import numpy as np

    from exporter.grids.room_graph import room_labels

    # Layers that read what the mission places are not finished yet.
    width, height = inputs.spec("size")
    walkable = walkable_cells(map(inputs.layer, inputs.ground_layers()), (height, width))
    layer = _layer_with_rooms(parameters, inputs)
    rooms = np.zeros(walkable.shape, np.int32)
    if layer is not None:
        own = layer.walkable if layer.walkable is not None else walkable
        rooms = np.where(walkable, room_labels(own, layer.rooms), 0).astype(np.int32)
    given: dict[str, Cell] = {}
    for name in (parameters.start, parameters.goal, *parameters.optional):
        cells = inputs.standing_cells(name)
        if len(cells) > 1:
            raise ParameterError(
                f"there are {len(cells)} objects {name!r}, and a mission needs exactly one (write "
                "`count: 1`, or name other objects)",
                next(path for item, _, path in parameters.named() if item == name),
            )
        for cell in cells:
            given[name] = cell % walkable.shape[1], cell // walkable.shape[1]
    names = {lock.name for lock in parameters.locks}
    keys = [
        Key((placed_key.x, placed_key.y), str(placed_key.opens))
        for placed_key in inputs.placed_keys()
        if placed_key.opens in names
    ]
    return MissionGround(
        walkable=walkable,
        free=walkable & ~inputs.occupied_cells(),
        rooms=rooms,
        connections=layer.connections if layer is not None else (),
        given=given,
        keys=keys,
    )


def _layer_with_rooms(parameters: MissionParameters, inputs: Inputs) -> Layer | None:
    """Return the layer whose rooms the mission's locks separate.

    None if there is no such layer, and all locks do without rooms.

    Raises:
        ParameterError: The mission needs rooms, and there are none.
    """
    if parameters.of is not None:
        layer = inputs.layer(parameters.of)
        if layer.rooms or not parameters.needs_rooms:
            return layer
        raise ParameterError(_no_rooms(f"the layer {layer.name!r} has"), ("of",))
    size = inputs.spec("size")
    for name in reversed(inputs.layer_names()):
        layer = inputs.layer(name)
        if layer.rooms and (layer.width, layer.height) == size:
            return layer
    if not parameters.needs_rooms:
        return None
    raise ParameterError(_no_rooms("the level has"))


def _no_rooms(what: str) -> str:
    return (
        f"{what} no rooms, and every lock but one `at: goal` lies between rooms (use a generator "
        "with rooms such as bsp_rooms, draw rooms in a map, or name a layer that has some with "
        "`of`)"
    )


def _objects(
    parameters: MissionParameters, ground: MissionGround, plan: MissionPlan
) -> Iterator[PlacedObject]:
    for number, (name, cell, properties) in enumerate(_requested(parameters, ground, plan), 1):
        yield PlacedObject(number, name, *cell, properties)


def _requested(
    parameters: MissionParameters, ground: MissionGround, plan: MissionPlan
) -> Iterator[tuple[str, Cell, dict[str, Any]]]:
    seal = next((item.name for item in parameters.locks if item.at is not None), None)
    for name in (parameters.start, parameters.goal, *parameters.optional):
        if name not in ground.given:
            sealed = seal is not None and name == parameters.goal
            yield name, plan.cells[name], {"lock": seal} if sealed else {}
    for key in plan.keys[len(ground.keys) :]:
        yield f"{key.opens}_key", key.cell, {"opens": key.opens}
    for lock in plan.locks:
        if lock.name == seal:
            continue
        for cell in lock.cells:
            properties = {"lock": lock.name, "kind": lock.kind}
            if lock.opened_from:
                properties["opened_from"] = _side(cell, lock.opened_from)
            yield f"{lock.name}_lock", cell, properties


def _side(cell: Cell, opened_from: Sequence[Cell]) -> str:
    """Return the side, such as `left`, from which the lock at `cell` opens.

    `opened_from` are the cells next to the lock from which it can be opened.
    """
    x, y = cell
    for (right, down), name in _SIDES.items():
        if (x + right, y + down) in opened_from:
            return name
    # This cell opens to a wall, so take the side of the row's other cells.
    beside_x, beside_y = opened_from[0]
    if all(item == beside_x for item, _ in opened_from):
        return "left" if beside_x < x else "right"
    return "up" if beside_y < y else "down"


# --- proving --------------------------------------------------------------------------------------


def _prove(inputs: Inputs) -> Mission:
    """Prove that the goal of the finished level cannot be lost.

    The goal is lost if some order of play makes it unreachable.

    Raises:
        SpecError: The goal can be lost.
    """
    parameters: MissionParameters = inputs.spec("mission")
    width, height = inputs.spec("size")
    layers = {name: inputs.layer(name) for name in inputs.play_layers()}
    mission = Mission(parameters.start, parameters.goal, inputs.mission_locks())
    level = Level("", width, height, layers=layers, objects=inputs.objects(), mission=mission)
    result = level_map(level)
    if result is None:
        raise inputs.error(("mission",), "an edit removed the start or the goal of the mission")
    proof: MissionProof = inputs.attempt(("mission",), prove, result)
    if proof.play is not None:
        raise inputs.error(("mission",), _dropped_text(proof.play))
    walk = shortest_walk(result)
    texts = walk_texts(result, walk) if walk is not None else ()
    return Mission(
        mission.start, mission.goal, mission.locks, walkthrough=texts, states=proof.states
    )


def play_after_move(level: Level, number: int, cell: Cell) -> tuple[str, ...] | None:
    """Return how the goal could be lost if object `number` moved to `cell`.

    Args:
        level: A finished level with a mission.
        number: The id of the object.
        cell: The new cell (x, y) of the object.

    Returns:
        The shortest list of actions after which the goal cannot be reached; None without one.

    Raises:
        ParameterError: There are too many orders of play to check.
    """
    x, y = cell
    objects = tuple(
        replace(item, x=x, y=y) if item.id == number else item for item in level.objects
    )
    result = level_map(replace(level, objects=objects))
    return prove(result).play if result is not None else ("the level has no mission",)


def _dropped_text(play: tuple[str, ...]) -> str:
    return "the goal can be lost: " + ", then ".join(play)


def blamed_edit(
    spec: LevelSpec,
    groups: ObjectGroups,
    layers: Mapping[str, Layer],
    generated: Mapping[str, Layer],
    locks: tuple[Lock, ...],
) -> SpecError | None:
    """Return an error at the hand edit that makes the goal unreachable.

    Args:
        spec: The spec with its hand edits.
        groups: The groups of objects, all placed.
        layers: The finished `play` layers.
        generated: The layers among `layers` that are built after the mission and edited by hand, as
            they were before the edits.
        locks: The locks of the mission.

    Returns:
        An error at the first edit, in the order of the file, after which some order of play loses
        the goal. None if no edit is to blame: the goal cannot be lost, or it could be lost without
        edits.
    """
    edits = spec.edits
    if edits is None or spec.mission is None:
        return None
    width, height = spec.size
    mission = Mission(spec.mission.start, spec.mission.goal, locks)
    paths: list[tuple[str | int, ...]] = [
        ("layers", name, index) for name in generated for index in range(len(edits.layers[name]))
    ]
    paths += [("objects", index) for index in range(len(edits.objects))]

    def problem_with(count: int) -> str:
        left = count
        partly = dict(layers)
        for name, layer in generated.items():
            own = edits.layers[name]
            partly[name] = edit_layer(layer, own[:left], spec.layers[name].parameters).layer
            left = max(left - len(own), 0)
        objects = groups.edited(edits.objects[:left])
        level = Level("", width, height, layers=partly, objects=objects, mission=mission)
        return _problem_of(level_map(level))

    good, bad = 0, len(paths)
    message = problem_with(bad)
    if not message or problem_with(good):
        return None
    while bad - good > 1:
        middle = (good + bad) // 2
        problem = problem_with(middle)
        good, bad, message = (good, middle, problem) if problem else (middle, bad, message)
    return SpecError([edits.document.problem(paths[bad - 1], message)])


def _problem_of(result: MissionMap | None) -> str:
    if result is None:
        return "the start or the goal is removed (undo this edit)"
    play = prove(result).play
    return f"{_dropped_text(play)} (undo this edit)" if play is not None else ""


# --- bytes ----------------------------------------------------------------------------------------


def _encode(value: PlacedMission | Mission) -> bytes:
    return json.dumps(asdict(value), separators=(",", ":")).encode()


def _locks(rows: Sequence[dict[str, Any]]) -> tuple[Lock, ...]:
    return tuple(
        Lock(
            row["name"],
            row["kind"],
            tuple((x, y) for x, y in row["cells"]),
            tuple((x, y) for x, y in row["opened_from"]),
        )
        for row in rows
    )


def _decode_placed(data: bytes) -> PlacedMission:
    document = json.loads(data)
    objects = tuple(PlacedObject(**item) for item in document["objects"])
    return PlacedMission(_locks(document["locks"]), objects)


def _decode_mission(data: bytes) -> Mission:
    document = json.loads(data)
    return Mission(
        **{
            **document,
            "locks": _locks(document["locks"]),
            "walkthrough": tuple(document["walkthrough"]),
        }
    )
