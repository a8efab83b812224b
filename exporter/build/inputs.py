"""Give a build stage its inputs, and record which ones it reads.

A stage of a build is a function of one `Inputs` object, through which it reads the spec, earlier
layers, objects and files. Every read is recorded as a question, which is the name of the input. The
cache key of the stage is computed from these questions and their present answers, so no dependency
is listed by hand.
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
    """Answers the questions of stages with inputs.

    A question is the name of an input: a value of the spec, a file, or a finished layer or other
    result.
    """

    def answer(self, question: Question) -> Any:
        """Return the input that `question` names; raise KeyError if it is missing."""

    def key(self, question: Question) -> str | None:
        """Return the hash of the input that `question` names.

        The input itself is not computed if that can be avoided. A missing or unreadable input has a
        special hash. None if the input has no hash, so that results which depend on it cannot be
        stored.
        """

    def depend(self, questions: Iterable[Question]) -> None:
        """Record that the level depends on the inputs that `questions` name.

        Called when a stage's stored result is reused, since the stage then reads nothing.
        """

    def level(self) -> tuple[Level, tuple[Question, ...]]:
        """Return the finished level, and all questions asked to assemble it.

        A question is the name of an input that was read.
        """

    def error(self, path: ValuePath, message: str, inside: ValuePath = ()) -> SpecError:
        """Return an error with `message` at the line of `path` in the spec.

        `inside` continues `path`: the path inside the value there.
        """


class Inputs:
    """Gives one build stage its inputs; records each read as a question.

    A question is the name of an input, so that its current value can be asked for later.

    Attributes:
        questions: The questions so far, in order, without repetition.
    """

    def __init__(self, source: InputSource) -> None:
        self._source = source
        self.questions: dict[Question, None] = {}

    def spec(self, *path: str | int) -> Any:
        """Return the value at `path` in the spec, as in `spec("layers", name)`."""
        return self._ask("spec", *path)

    def searched_part(self) -> Mapping[str, Any]:
        """Return the values of the spec on which the search for a seed depends.

        They are by key of the spec.
        """
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
        """The finished layers by name.

        A layer counts as read by the stage only when the stage uses it.
        """
        return _Layers(self)

    def layer_names(self) -> tuple[str, ...]:
        """Return the names of the finished layers.

        They are in build order; in the order of the spec when all are finished.
        """
        names: tuple[str, ...] = self._ask("layer names")
        return names

    def play_layers(self) -> tuple[str, ...]:
        """Return the names of the finished layers with the role `play`.

        These are the layers that characters walk on.
        """
        names: tuple[str, ...] = self._ask("play layers")
        return names

    def ground_layers(self) -> tuple[str, ...]:
        """Return the names of the layers on which objects are placed by default."""
        names: tuple[str, ...] = self._ask("ground layers")
        return names

    def all_layers(self) -> Mapping[str, Layer]:
        """Return all finished layers by name; all of them count as read."""
        layers: Mapping[str, Layer] = self._ask("layers")
        return layers

    def objects(self) -> tuple[PlacedObject, ...]:
        """Return all objects of the level, with their hand edits applied."""
        objects: tuple[PlacedObject, ...] = self._ask("objects")
        return objects

    def generated_layer(self, name: str) -> Layer:
        """Return the layer `name` as it was before its hand edits.

        The layer must have such edits.
        """
        layer: Layer = self._ask("generated layer", name)
        return layer

    def cell_edits(self, layer: str) -> tuple[CellEdit, ...]:
        """Return the hand edits of cells in `layer`.

        The layer must have such edits.
        """
        edits: tuple[CellEdit, ...] = self._ask("cell edits", layer)
        return edits

    def objects_named(self, name: str) -> tuple[PlacedObject, ...]:
        """Return the objects called `name`, with their hand edits applied.

        Their ids are 1, 2, ..., since final ids depend on other objects.
        """
        objects: tuple[PlacedObject, ...] = self._ask("objects named", name)
        return objects

    def group(self, name: str, number: int) -> ObjectParameters:
        """Return the spec's entry for one group of objects, without properties.

        It is the group with this `number` among those called `name`, from 1 in build order.
        """
        group: ObjectParameters = self._ask("group", name, number)
        return group

    def unavailable(self, name: str, number: int) -> NDArray[np.bool_]:
        """Return the cells that a group must not use: bool [height, width].

        Other objects occupy or reserve these cells. The group is the one with this `number` among
        those called `name`, from 1 in build order.
        """
        used: NDArray[np.bool_] = self._ask("taken", name, number)
        return used

    def object_cells(self, *names: str) -> tuple[int, ...]:
        """Return the sorted cells where objects called `names` were placed.

        Hand edits are not applied. A cell is the number y * width + x.
        """
        cells: tuple[int, ...] = self._ask("object cells", *names)
        return cells

    def standing_cells(self, *names: str) -> tuple[int, ...]:
        """Return the sorted cells where objects called `names` are now.

        Hand edits are applied. A cell is the number y * width + x.
        """
        cells: tuple[int, ...] = self._ask("standing cells", *names)
        return cells

    def ground(self, layer: str | None) -> PlacementGround:
        """Return the walkable cells of `layer` on which objects can be placed.

        None means all layers on which objects are placed by default.

        Raises:
            ParameterError: No object can be placed on this layer; the error has the path of the
                parameter.
        """
        ground: PlacementGround = self._ask("ground", layer or "")
        return ground

    def rooms(self, layer: str | None) -> RoomMap | None:
        """Return the rooms on the ground of `layer`, and their connections.

        `layer` is a layer that objects are placed on; None for all layers on which they are placed
        by default. The result is None if there are no rooms.

        Raises:
            ParameterError: No object can be placed on this layer.
        """
        rooms: RoomMap | None = self._ask("rooms", layer or "")
        return rooms

    def walking_steps(
        self, layer: str | None, names: tuple[str, ...], *, aside: bool
    ) -> NDArray[np.int32]:
        """Return each cell's walking steps to the nearest object in `names`.

        Args:
            layer: The layer to walk on; None for all layers on which objects are placed by default.
            names: The names of the objects.
            aside: Whether unwalkable cells get the steps of their nearest neighbour plus 1.

        Returns:
            int32 [height, width]; -1 for cells from which no object can be reached.
        """
        steps: NDArray[np.int32] = self._ask("walking steps", layer or "", int(aside), *names)
        return steps

    def occupied_cells(self) -> NDArray[np.bool_]:
        """Return which cells the objects placed so far occupy or reserve.

        bool [height, width].
        """
        occupied: NDArray[np.bool_] = self._ask("occupied cells")
        return occupied

    def placed_keys(self) -> tuple[PlacedObject, ...]:
        """Return the keys placed so far: the objects that open a lock."""
        keys: tuple[PlacedObject, ...] = self._ask("keys")
        return keys

    def mission_locks(self) -> tuple[Lock, ...]:
        """Return the locks that were placed for the mission."""
        locks: tuple[Lock, ...] = self._ask("mission locks")
        return locks

    def mission(self) -> Mission | None:
        """Return the mission: locks, and a goal that can always be reached.

        None if the spec has none, or before this is proven.
        """
        mission: Mission | None = self._ask("mission")
        return mission

    def puzzles(self) -> Mapping[str, Puzzle]:
        """Return the finished puzzles by name."""
        puzzles: Mapping[str, Puzzle] = self._ask("puzzles")
        return puzzles

    def sight_layer(self) -> str:
        """Return the name of the layer whose tiles block sight.

        Raises:
            SpecError: No layer has tiles that block sight, or the spec has no `visibility`.
        """
        name: str = self._ask("sight layer")
        return name

    def visibility(self) -> VisibilityTable:
        """Return the table of which cells see which, computed on first use."""
        table: VisibilityTable = self._ask("visibility")
        return table

    def tileset(self) -> TilesetSource | None:
        """Return the spec's tileset with its pixels; None without one."""
        tileset: TilesetSource | None = self._ask("tileset")
        return tileset

    def file(self, name: str) -> bytes:
        """Return the content of the file `name`, which is relative to the spec.

        Raises:
            ParameterError: The file is missing, too large or outside the project.
        """
        content: bytes = self._ask("file", name)
        return content

    def game_file(self, game: str, name: str) -> bytes:
        """Return the content of the file `name` of a game project.

        `game` is the game project's folder, relative to the folder of input files; `name` is
        relative to `game`.

        Raises:
            ParameterError: The file is missing, too large or outside the game project.
        """
        content: bytes = self._ask("game file", game, name)
        return content

    def record_missing(self, path: str) -> None:
        """Record that the level depends on `path`, which is missing.

        `path` is relative to the folder that input files must lie in.
        """
        self._ask("missing file", path)

    def error(self, path: ValuePath, message: str) -> SpecError:
        """Return an error with `message` at the line of `path` in the spec."""
        return self._source.error(path, message)

    def problem(self, path: ValuePath, message: str) -> Problem:
        """Return a problem with `message` at the line of `path` in the spec."""
        return self._source.error(path, message).problems[0]

    def level(self) -> Level:
        """Return the finished level.

        All that it was assembled from counts as read by the stage.
        """
        level, questions = self._source.level()
        self.questions.update(dict.fromkeys(questions))
        return level

    def attempt(self, path: ValuePath, step: Callable[..., Any], *arguments: Any) -> Any:
        """Return `step(*arguments)`; give an error its line in the spec.

        Raises:
            SpecError: `step` raised a ParameterError; the line is at `path` in the spec.
        """
        try:
            return step(*arguments)
        except ParameterError as error:
            raise self._source.error(path, error.message, error.path) from None

    def _ask(self, *question: str | int) -> Any:
        self.questions[question] = None
        return self._source.answer(question)


class _Layers(Mapping[str, Layer]):
    """The finished layers by name; records which of them a stage uses."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs

    def __getitem__(self, name: str) -> Layer:
        return self._inputs.layer(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._inputs.layer_names())

    def __len__(self) -> int:
        return len(self._inputs.layer_names())
