"""Hold the finished layers, objects and puzzles that later stages read.

Stages read their inputs by questions: names of inputs. For each kind of question, one `InputKind`
computes the answer, and finds the answer's hash without an expensive computation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from exporter.build import level_steps, object_steps
from exporter.build.edit_stages import HandEdits
from exporter.build.files import InputFiles
from exporter.build.inputs import Inputs, Question
from exporter.build.object_groups import ObjectGroups
from exporter.build.stages import Track, questions_key
from exporter.model.errors import ParameterError, SpecError
from exporter.model.keys import stage_key, value_key
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level, Puzzle
from exporter.reading.build_order import spec_graph
from exporter.reading.level_spec import LevelSpec
from exporter.reading.references import NO_SIGHT_LAYER
from exporter.reading.yaml_reader import Path as ValuePath

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.grids.room_maps import RoomMap
    from exporter.model.mission import Lock, Mission
    from exporter.placement.ground import PlacementGround
    from exporter.visibility.table import VisibilityTable

Value = TypeVar("Value")

# The keys of a missing input and of an unreadable file.
ABSENT = stage_key("absent")
UNREADABLE = stage_key("unreadable")


@dataclass(frozen=True, slots=True)
class InputKind(Generic[Value]):
    """How to compute and hash the inputs of one kind, such as layers.

    Attributes:
        value: Computes the input; its arguments are the names in a question, such as a layer's.
        key: Returns the hash of the input from the same names; None to hash the value.
        depend: Records that the level depends on the input, such as a file; None to record nothing.
    """

    value: Callable[..., Value]
    key: Callable[..., str | None] | None = None
    depend: Callable[..., object] | None = None

    def key_of(self, *names: str | int) -> str | None:
        """Return the hash of the input that `names` identify.

        None if the input has no hash, so that results which depend on it cannot be stored.
        """
        return self.key(*names) if self.key is not None else value_key(self.value(*names))


class LevelSource:
    """The finished layers, objects and puzzles that later stages read.

    Args:
        spec: The checked spec.
        files: Reads the input files of the spec.
        before_step: Called before each step, with the step's name and its path in the spec.
        track: Called before the field of view and the tileset are made; returns a context for that.
        level: Returns the finished level, and the questions (names of inputs) asked to assemble it.

    Attributes:
        edits: The hand edits.
        groups: The groups of objects.
        layers: The finished layers, by name.
        layer_keys: The cache keys of `layers`; None for a layer without a key.
        puzzles: The finished puzzles, by name.
        puzzle_keys: The cache keys of `puzzles`; None for a puzzle without a key.
        mission_locks: The locks that were placed for the mission.
        mission: The mission; None without one, or before it is proven.
        graph: Which layers and groups each layer and group depends on.
    """

    def __init__(
        self,
        spec: LevelSpec,
        files: InputFiles,
        before_step: Callable[[str, ValuePath], None],
        track: Track,
        level: Callable[[], tuple[Level, tuple[Question, ...]]],
    ) -> None:
        self.spec = spec
        self.files = files
        self.before_step = before_step
        self.track = track
        self.level = level
        self.edits = HandEdits(spec, files)
        self.groups = ObjectGroups(spec.objects, spec.size, self.edits.objects)
        self.layers: dict[str, Layer] = {}
        self.layer_keys: dict[str, str | None] = {}
        self.puzzles: dict[str, Puzzle] = {}
        self.puzzle_keys: dict[str, str | None] = {}
        self.mission_locks: tuple[Lock, ...] = ()
        self.mission: Mission | None = None
        self.graph = spec_graph(spec)
        self._grounds: dict[str, PlacementGround] = {}
        self._rooms: dict[str, RoomMap | None] = {}
        self._steps: dict[tuple[object, ...], NDArray[np.int32]] = {}

    def answer(self, question: Question) -> Any:
        """Return the input that `question` names; raise KeyError if it is missing."""
        kind, *names = question
        return self._answers[str(kind)].value(*names)

    def key(self, question: Question) -> str | None:
        """Return the hash of the input that `question` names.

        A missing or unreadable input has a special hash. None if the input has none, so that
        results which depend on it cannot be stored.
        """
        kind, *names = question
        try:
            return self._answers[str(kind)].key_of(*names)
        except (KeyError, IndexError, AttributeError):
            return ABSENT
        except (SpecError, ParameterError):
            return UNREADABLE

    def depend(self, questions: Iterable[Question]) -> None:
        """Record that the level depends on the inputs that `questions` name.

        Only files can be recorded; other inputs follow from the spec and files.
        """
        for kind, *names in questions:
            depend = self._answers[str(kind)].depend
            if depend is not None:
                depend(*names)

    def error(self, path: ValuePath, message: str, inside: ValuePath = ()) -> SpecError:
        """Return an error with `message` at the line of `path` in the spec.

        `inside` continues `path`: the path inside the value there.
        """
        position = (*path, *inside)
        # The seed and the size of a layer are usually at the top of the spec.
        if inside and inside[0] in ("seed", "size") and self.spec.document.get(position) is None:
            position = inside
        return self.spec.error(position, message)

    @cached_property
    def _answers(self) -> dict[str, InputKind[Any]]:
        """How to answer each kind of question, by the question's first word."""
        files, groups, edits = self.files, self.groups, self.edits
        return {
            "spec": InputKind(self._spec_value),
            "searched part": InputKind(self._searched_part),
            "layer": InputKind(self.layers.__getitem__, self.layer_keys.__getitem__),
            "layer names": InputKind(lambda: tuple(self.layers)),
            "play layers": InputKind(self.play_layers),
            "layers": InputKind(
                lambda: dict(self.layers), lambda: _joined(self.layers, self.layer_keys)
            ),
            "ground layers": InputKind(self._ground_layers),
            "objects": InputKind(lambda: groups.all, groups.all_key),
            "objects named": InputKind(groups.named, groups.named_key),
            "group": InputKind(groups.group),
            "taken": InputKind(groups.unavailable, groups.used_key),
            "object cells": InputKind(groups.cells, groups.cells_key),
            "standing cells": InputKind(groups.standing_cells, groups.standing_cells_key),
            "ground": InputKind(
                self._ground,
                lambda name: self._request_key(partial(object_steps.find_ground, name)),
            ),
            # The rooms and their connections follow from the ground.
            "rooms": InputKind(self._rooms_of, lambda name: self.key(("ground", name))),
            "walking steps": InputKind(self._walking_steps, self._walking_steps_key),
            "occupied cells": InputKind(groups.occupied, groups.occupied_key),
            "keys": InputKind(groups.keys),
            "mission locks": InputKind(lambda: self.mission_locks),
            "mission": InputKind(lambda: self.mission),
            "puzzles": InputKind(
                lambda: dict(self.puzzles), lambda: _joined(self.puzzles, self.puzzle_keys)
            ),
            "sight layer": InputKind(self.sight_layer),
            "visibility": InputKind(
                lambda: self.visibility, lambda: self._request_key(level_steps.request_sight)
            ),
            "tileset": InputKind(
                self._tileset, lambda: self._request_key(level_steps.request_tileset)
            ),
            "file": InputKind(files.read, files.digest, files.read),
            "game file": InputKind(
                self._game_file,
                lambda game, name: files.digest(name, game),
                self._depend_on_game_file,
            ),
            "missing file": InputKind(
                files.record_missing, lambda position: ABSENT, files.record_missing
            ),
            "generated layer": InputKind(
                edits.generated.__getitem__, edits.generated_keys.__getitem__
            ),
            "cell edits": InputKind(edits.cells.__getitem__, edits.cells_key),
        }

    def _game_file(self, game: str, name: str) -> bytes:
        return self.files.read(name, game)

    def _depend_on_game_file(self, game: str, name: str) -> None:
        # A stored result may depend on the absence of a file, too.
        with suppress(ParameterError):
            self._game_file(game, name)

    def _request_key(self, request: Callable[[Inputs], Any]) -> str | None:
        """Return a hash of all inputs that `request` reads.

        It identifies a result without computing the result. None if an input has no hash.
        """
        inputs = Inputs(self)
        request(inputs)
        return questions_key(self, inputs.questions)

    def _spec_value(self, *path: str | int) -> Any:
        value: Any = self.spec
        for step in path:
            inside = isinstance(value, Mapping | tuple)
            value = value[step] if inside else getattr(value, str(step))
        return value

    def _searched_part(self) -> dict[str, Any]:
        from exporter.build.seed_search import searched_part

        return searched_part(self.spec)

    def play_layers(self) -> tuple[str, ...]:
        """Return the names of the finished layers with the role `play`.

        These are the layers that characters walk on.
        """
        return tuple(name for name, layer in self.layers.items() if layer.role == "play")

    def _ground_layers(self) -> tuple[str, ...]:
        """Return the names of the layers on which objects are placed by default.

        These are the finished `play` layers, except those made from objects or the field of view.
        """
        playing = set(self.play_layers()) - self.graph.late
        return tuple(name for name in self.spec.layers if name in playing)

    def _ground(self, name: str) -> PlacementGround:
        if name not in self._grounds:
            self._grounds[name] = object_steps.find_ground(name, Inputs(self))
        return self._grounds[name]

    def _rooms_of(self, ground: str) -> RoomMap | None:
        if ground not in self._rooms:
            self._rooms[ground] = object_steps.find_rooms(ground, Inputs(self))
        return self._rooms[ground]

    def _walking_steps(self, layer: str, aside: int, *names: str) -> NDArray[np.int32]:
        position = (layer, aside, *names)
        if position not in self._steps:
            self._steps[position] = object_steps.measure_steps(layer, aside, names, Inputs(self))
        return self._steps[position]

    def _walking_steps_key(self, layer: str, aside: int, *names: str) -> str | None:
        return questions_key(self, [("ground", layer), ("standing cells", *names)])

    def sight_layer(self) -> str:
        """Return the name of the layer whose tiles block sight.

        Raises:
            SpecError: No layer has tiles that block sight, or the spec has no `visibility`.
        """
        visibility = self.spec.visibility
        if visibility is None:
            raise self.spec.error(
                (), "the level has no `visibility:` (add `visibility: {radius: 8}`)"
            )
        if visibility.layer is not None:
            layer = self.layers.get(visibility.layer)
            if layer is None or layer.kind != "tiles" or not layer.grid_aligned:
                raise self.spec.error(
                    ("visibility", "layer"),
                    f"{visibility.layer!r} is not a tile layer, or differs in size from the level",
                )
            return visibility.layer
        # The last one: it lies above the others.
        able = self._ground_layers()
        if able:
            return able[-1]
        raise self.spec.error(("visibility",), NO_SIGHT_LAYER)

    @cached_property
    def visibility(self) -> VisibilityTable:
        """The table of which cells see which, computed on first use."""
        request = level_steps.request_sight(Inputs(self))
        self.before_step("the visibility", ("visibility",))
        try:
            with self.track("sight"):
                return level_steps.compute_sight(request)
        except (ValueError, ParameterError) as error:
            raise self.spec.error(("visibility",), str(error)) from None

    def _tileset(self) -> Any:
        inputs = Inputs(self)
        with self.track("tileset"):
            return inputs.attempt((), level_steps.open_tileset, level_steps.request_tileset(inputs))


def _joined(names: Mapping[str, object], keys: Mapping[str, str | None]) -> str | None:
    """Combine the cache keys of the results `names`; None if one has no key."""
    parts: list[str] = []
    for name in names:
        key = keys[name]
        if key is None:
            return None
        parts += [name, key]
    return stage_key(*parts)
