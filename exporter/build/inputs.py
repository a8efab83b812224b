"""Give a build stage its inputs, and record which ones it reads.

A stage of a build is a function of one `Inputs` object, through which it reads the spec, earlier
layers, objects and files. Every read is recorded as a question, and the cache key of the stage is
computed from these questions (`exporter.build.stages`), so no dependency is listed by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.model.level import Layer, Level, PlacedObject, Puzzle
from exporter.reading.yaml_reader import Path as ValuePath

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.grids.room_maps import RoomMap
    from exporter.model.mission import Lock, Mission
    from exporter.model.tileset import TilesetSource
    from exporter.placement.ground import PlacementGround
    from exporter.placement.parameters import ObjectParameters
    from exporter.reading.edits import CellEdit
    from exporter.visibility.table import VisibilityTable

# The question: its kind, and a path or a name.
Question = tuple[str | int, ...]


class InputSource(Protocol):
    """Gives inputs to stages: the spec, files, and results of earlier stages."""

    def answer(self, question: Question) -> Any:
        """Return the input that `question` names; raise KeyError if missing."""

    def key(self, question: Question) -> str | None:
        """Return the hash of the input that `question` names.

        The hash is found without computing the input, if possible. A missing or unreadable input
        has a special key. None means that the input has no key, so that results which depend on it
        cannot be stored.
        """

    def depend(self, questions: Iterable[Question]) -> None:
        """Record that the level depends on the inputs that `questions` name.

        Called when a stage's stored result is reused, so that the stage does not read them.
        """

    def level(self) -> tuple[Level, tuple[Question, ...]]:
        """Return the finished level, and the questions it was assembled from."""

    def error(self, path: ValuePath, message: str, inside: ValuePath = ()) -> SpecError:
        """Return an error that points at the line of `path` in the spec.

        `inside` continues the path inside that value.
        """


class Inputs:
    """What one stage of a build may read; each read is recorded as a question.

    A question names an input, so that its present value can be asked for later.

    Attributes:
        questions: The reads so far, in order, without repetition.
    """

    def __init__(self, source: InputSource) -> None:
        self._source = source
        self.questions: dict[Question, None] = {}

    def spec(self, *path: str | int) -> Any:
        """Return the spec's value at `path`, as in `spec("layers", name)`."""
        return self._ask("spec", *path)

    def searched_part(self) -> Mapping[str, Any]:
        """Return the values of the spec that the seed search depends on, by key."""
        part: Mapping[str, Any] = self._ask("searched part")
        return part

    def layer(self, name: str) -> Layer:
        """Return the finished layer `name`.

        Raises:
            KeyError: There is no such layer yet.
        """
        layer: Layer = self._ask("layer", name)
        return layer

    @property
    def layers(self) -> Mapping[str, Layer]:
        """The finished layers by name; only layers that are read are recorded."""
        return _Layers(self)

    def layer_names(self) -> tuple[str, ...]:
        """Return the names of the finished layers, in order."""
        names: tuple[str, ...] = self._ask("layer names")
        return names

    def play_layers(self) -> tuple[str, ...]:
        """Return the names of the finished layers of the role `play`, in order."""
        names: tuple[str, ...] = self._ask("play layers")
        return names

    def ground_layers(self) -> tuple[str, ...]:
        """Return the names of the layers that objects stand on by default."""
        names: tuple[str, ...] = self._ask("ground layers")
        return names

    def all_layers(self) -> Mapping[str, Layer]:
        """Return all finished layers, recorded as one read."""
        layers: Mapping[str, Layer] = self._ask("layers")
        return layers

    def objects(self) -> tuple[PlacedObject, ...]:
        """Return all objects of the level, after hand edits."""
        objects: tuple[PlacedObject, ...] = self._ask("objects")
        return objects

    def generated_layer(self, name: str) -> Layer:
        """Return layer `name` as generated, without its hand edits."""
        layer: Layer = self._ask("generated layer", name)
        return layer

    def cell_edits(self, layer: str) -> tuple[CellEdit, ...]:
        """Return the hand edits of cells of `layer`, which must have some."""
        edits: tuple[CellEdit, ...] = self._ask("cell edits", layer)
        return edits

    def objects_named(self, name: str) -> tuple[PlacedObject, ...]:
        """Return the placed objects called `name`; their ids are 1, 2, ..."""
        objects: tuple[PlacedObject, ...] = self._ask("objects named", name)
        return objects

    def group(self, name: str, number: int) -> ObjectParameters:
        """Return the spec's entry for one group of objects, without properties.

        Args:
            name: The name of the objects.
            number: The group's number among the groups of that name, from 1 in build order.
        """
        group: ObjectParameters = self._ask("group", name, number)
        return group

    def unavailable(self, name: str, number: int) -> NDArray[np.bool_]:
        """Return the cells that a group must not use: bool [height, width].

        Other objects occupy or reserve them. The arguments are as in `group`.
        """
        used: NDArray[np.bool_] = self._ask("taken", name, number)
        return used

    def object_cells(self, *names: str) -> tuple[int, ...]:
        """Return the cells of objects called `names`: numbers y * width + x.

        They are sorted, and as placed: without hand edits.
        """
        cells: tuple[int, ...] = self._ask("object cells", *names)
        return cells

    def standing_cells(self, *names: str) -> tuple[int, ...]:
        """Return the cells of objects called `names` after hand edits.

        The numbers are as in `object_cells`.
        """
        cells: tuple[int, ...] = self._ask("standing cells", *names)
        return cells

    def ground(self, layer: str | None) -> PlacementGround:
        """Return the walkable cells where objects can be placed.

        Args:
            layer: The name of a layer; None for all layers that objects stand on by default.

        Raises:
            ParameterError: No object can be placed on this layer; the error has the path of the
                parameter.
        """
        ground: PlacementGround = self._ask("ground", layer or "")
        return ground

    def rooms(self, layer: str | None) -> RoomMap | None:
        """Return the rooms of the ground with their connections.

        Args:
            layer: As in `ground`.

        Returns:
            None if the ground has no rooms.

        Raises:
            ParameterError: No object can be placed on this layer; the error has the path of the
                parameter.
        """
        rooms: RoomMap | None = self._ask("rooms", layer or "")
        return rooms

    def walking_steps(
        self, layer: str | None, names: tuple[str, ...], *, aside: bool
    ) -> NDArray[np.int32]:
        """Return each cell's steps to the nearest object called one of `names`.

        Args:
            layer: The layer to walk on, as in `ground`.
            names: The names of the objects.
            aside: As in `exporter.grids.walking.walking_steps`.

        Returns:
            int32 [height, width].
        """
        steps: NDArray[np.int32] = self._ask("walking steps", layer or "", int(aside), *names)
        return steps

    def occupied_cells(self) -> NDArray[np.bool_]:
        """Return the cells that objects occupy or reserve: bool [height, width]."""
        occupied: NDArray[np.bool_] = self._ask("occupied cells")
        return occupied

    def placed_keys(self) -> tuple[PlacedObject, ...]:
        """Return the objects placed so far that open a lock."""
        keys: tuple[PlacedObject, ...] = self._ask("keys")
        return keys

    def mission_locks(self) -> tuple[Lock, ...]:
        """Return the locks that were placed for the mission."""
        locks: tuple[Lock, ...] = self._ask("mission locks")
        return locks

    def mission(self) -> Mission | None:
        """Return the level's proven mission; None for a spec without a mission."""
        mission: Mission | None = self._ask("mission")
        return mission

    def puzzles(self) -> Mapping[str, Puzzle]:
        """Return the finished puzzles."""
        puzzles: Mapping[str, Puzzle] = self._ask("puzzles")
        return puzzles

    def sight_layer(self) -> str:
        """Return the name of the layer whose tiles block sight.

        Raises:
            SpecError: No layer has tiles that block sight.
        """
        name: str = self._ask("sight layer")
        return name

    def visibility(self) -> VisibilityTable:
        """Return the visibility of the level, computed on first use."""
        table: VisibilityTable = self._ask("visibility")
        return table

    def tileset(self) -> TilesetSource | None:
        """Return the spec's tileset with its pixels; None without a tileset."""
        tileset: TilesetSource | None = self._ask("tileset")
        return tileset

    def file(self, name: str) -> bytes:
        """Return the content of file `name`, relative to the spec.

        Raises:
            ParameterError: It is missing, too large or outside the project.
        """
        content: bytes = self._ask("file", name)
        return content

    def game_file(self, game: str, name: str) -> bytes:
        """Return the content of a file of a game project.

        Args:
            game: The game project's folder, relative to the root.
            name: The file, relative to the game project.

        Raises:
            ParameterError: It is missing, too large or outside the game project.
        """
        content: bytes = self._ask("game file", game, name)
        return content

    def record_missing(self, path: str) -> None:
        """Record that the level depends on a missing file.

        `path` is relative to the root.
        """
        self._ask("missing file", path)

    def error(self, path: ValuePath, message: str) -> SpecError:
        """Return an error that points at the line of `path` in the spec."""
        return self._source.error(path, message)

    def problem(self, path: ValuePath, message: str) -> Problem:
        """Return a problem, such as a warning, at the line of `path` in the spec."""
        return self._source.error(path, message).problems[0]

    def level(self) -> Level:
        """Return the finished level; its cache key covers all parts of the level."""
        level, questions = self._source.level()
        self.questions.update(dict.fromkeys(questions))
        return level

    def attempt(self, path: ValuePath, step: Callable[..., Any], *arguments: Any) -> Any:
        """Call `step` with `arguments`; give its errors a line in the spec.

        Raises:
            SpecError: `step` raised a ParameterError; the line is that of `path`.
        """
        try:
            return step(*arguments)
        except ParameterError as error:
            raise self._source.error(path, error.message, error.path) from None

    def _ask(self, *question: str | int) -> Any:
        self.questions[question] = None
        return self._source.answer(question)


class _Layers(Mapping[str, Layer]):
    """The finished layers by name, for one stage; every read is recorded."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs

    def __getitem__(self, name: str) -> Layer:
        return self._inputs.layer(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._inputs.layer_names())

    def __len__(self) -> int:
        return len(self._inputs.layer_names())
