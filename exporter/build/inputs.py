"""Give a build stage its inputs, and record which ones it reads.

A stage of a build is a function of one `Inputs` object, through which it reads the spec, earlier
layers, objects and files. Every read is recorded as a question: the name of the input. The cache
key of the stage is computed from these questions (`exporter.build.stages`), so no dependency is
listed by hand.
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
    """Answers the questions of stages: reads of the spec, files and results."""

    def answer(self, question: Question) -> Any:
        """Return the input that `question` names; raise KeyError if it is missing."""

    def key(self, question: Question) -> str | None:
        """Return the hash of the input that `question` names.

        The input itself is not computed if that can be avoided. A missing or unreadable input has a
        special key. None if the input has no key, so that results which depend on it cannot be
        stored.
        """

    def depend(self, questions: Iterable[Question]) -> None:
        """Record that the level depends on the inputs that `questions` name.

        Called when a stage's stored result is reused, since the stage then reads nothing.
        """

    def level(self) -> tuple[Level, tuple[Question, ...]]:
        """Return the finished level, and all questions asked to assemble it."""

    def error(self, path: ValuePath, message: str, inside: ValuePath = ()) -> SpecError:
        """Return an error with `message` at the line of `path` in the spec.

        `inside` continues the path inside the value at `path`.
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
        """Return the spec's values on which the search for a seed depends, by key."""
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
        """The finished layers by name; only layers that are used count as read."""
        return _Layers(self)

    def layer_names(self) -> tuple[str, ...]:
        """Return the names of the finished layers, in order."""
        names: tuple[str, ...] = self._ask("layer names")
        return names

    def play_layers(self) -> tuple[str, ...]:
        """Return the names of the finished layers with the role `play`, in order."""
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
        """Return all objects of the level, with hand edits."""
        objects: tuple[PlacedObject, ...] = self._ask("objects")
        return objects

    def generated_layer(self, name: str) -> Layer:
        """Return the edited layer `name` as it was before its hand edits."""
        layer: Layer = self._ask("generated layer", name)
        return layer

    def cell_edits(self, layer: str) -> tuple[CellEdit, ...]:
        """Return the hand edits of cells of `layer`, which must have some."""
        edits: tuple[CellEdit, ...] = self._ask("cell edits", layer)
        return edits

    def objects_named(self, name: str) -> tuple[PlacedObject, ...]:
        """Return the objects called `name`, with hand edits; ids are 1, 2, ..."""
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

        Other objects occupy or reserve these cells. The arguments are as for `group`.
        """
        used: NDArray[np.bool_] = self._ask("taken", name, number)
        return used

    def object_cells(self, *names: str) -> tuple[int, ...]:
        """Return the sorted cells of objects called `names`, without hand edits.

        A cell is the number y * width + x.
        """
        cells: tuple[int, ...] = self._ask("object cells", *names)
        return cells

    def standing_cells(self, *names: str) -> tuple[int, ...]:
        """Return the sorted cells of objects called `names`, with hand edits.

        A cell is the number y * width + x.
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
        """Return the rooms on the ground, with connections; None without rooms.

        `layer` is as for `ground`.

        Raises:
            ParameterError: As `ground`.
        """
        rooms: RoomMap | None = self._ask("rooms", layer or "")
        return rooms

    def walking_steps(
        self, layer: str | None, names: tuple[str, ...], *, aside: bool
    ) -> NDArray[np.int32]:
        """Return each cell's walking steps to the nearest object in `names`.

        Args:
            layer: The layer to walk on, as for `ground`.
            names: The names of the objects.
            aside: As for `exporter.grids.walking.walking_steps`.

        Returns:
            int32 [height, width].
        """
        steps: NDArray[np.int32] = self._ask("walking steps", layer or "", int(aside), *names)
        return steps

    def occupied_cells(self) -> NDArray[np.bool_]:
        """Return the cells that any object occupies or reserves.

        bool [height, width].
        """
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
        """Return the proven mission; None without one, or before the proof."""
        mission: Mission | None = self._ask("mission")
        return mission

    def puzzles(self) -> Mapping[str, Puzzle]:
        """Return the finished puzzles by name."""
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
        """Return the level's table of visible cells, computed on first use."""
        table: VisibilityTable = self._ask("visibility")
        return table

    def tileset(self) -> TilesetSource | None:
        """Return the spec's tileset with its pixels; None without a tileset."""
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

        `game` is the game project's folder, relative to the root; `name` is relative to that
        folder.

        Raises:
            ParameterError: The file is missing, too large or outside the game project.
        """
        content: bytes = self._ask("game file", game, name)
        return content

    def record_missing(self, path: str) -> None:
        """Record that the level depends on `path`, which is missing.

        The path is relative to the root.
        """
        self._ask("missing file", path)

    def error(self, path: ValuePath, message: str) -> SpecError:
        """Return an error with `message` at the line of `path` in the spec."""
        return self._source.error(path, message)

    def problem(self, path: ValuePath, message: str) -> Problem:
        """Return a problem with `message` at the line of `path` in the spec."""
        return self._source.error(path, message).problems[0]

    def level(self) -> Level:
        """Return the finished level; all its layers, objects etc. count as read."""
        level, questions = self._source.level()
        self.questions.update(dict.fromkeys(questions))
        return level

    def attempt(self, path: ValuePath, step: Callable[..., Any], *arguments: Any) -> Any:
        """Return `step(*arguments)`; an error gets its line in the spec.

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
    """The finished layers by name; records which of them a stage uses."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs

    def __getitem__(self, name: str) -> Layer:
        return self._inputs.layer(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._inputs.layer_names())

    def __len__(self) -> int:
        return len(self._inputs.layer_names())
