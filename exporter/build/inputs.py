"""What a stage may read, and the record of what it has read.

A stage of a build is a function of one `Inputs`: it has no other way to the spec, to earlier
layers, to objects or to files. Every reading is a question, and the questions are the record from
which the stage's key follows (`exporter.build.stages`). So no key has to be listed by hand, and
none can forget what was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.model.level import Layer, Level, Lock, Mission, PlacedObject, Puzzle
from exporter.reading.document import Path as ValuePath

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.grids.room_maps import RoomMap
    from exporter.model.tileset import TilesetSource
    from exporter.placement.ground import Ground
    from exporter.placement.parameters import ObjectParameters
    from exporter.reading.edits import CellEdit
    from exporter.visibility.table import VisibilityTable

# What was asked: a kind of thing, and where it is or what it is called.
Question = tuple[str | int, ...]


class Source(Protocol):
    """Answers questions: a build, which has the spec and all that is finished."""

    def answer(self, question: Question) -> Any:
        """Return what was asked for; KeyError if there is no such thing."""

    def key(self, question: Question) -> str | None:
        """Return the hash of the answer, without computing it where that is possible.

        The key of what does not exist, or cannot be read, is one of its own. None means that the
        answer has no key, so that nothing that depends on it can be remembered.
        """

    def depend(self, questions: Iterable[Question]) -> None:
        """Note that these were asked when a result was made that is used again now."""

    def level(self) -> tuple[Level, tuple[Question, ...]]:
        """Return the finished level and all that was asked to assemble it."""

    def error(self, path: ValuePath, message: str, inside: ValuePath = ()) -> SpecError:
        """Word a problem at a place of the spec, or at the seed or size that `inside` names."""


class Inputs:
    """What one stage may read.

    Attributes:
        questions: What it has read so far, in order, each once.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.questions: dict[Question, None] = {}

    def spec(self, *path: str | int) -> Any:
        """Return the value at a path of the spec: `spec("size")`, `spec("layers", name)`."""
        return self._ask("spec", *path)

    def searched_part(self) -> Mapping[str, Any]:
        """Return what of the spec the result of its search for a seed depends on, by name."""
        part: Mapping[str, Any] = self._ask("searched part")
        return part

    def layer(self, name: str) -> Layer:
        """Return a finished layer.

        Raises:
            KeyError: There is no such layer yet.
        """
        layer: Layer = self._ask("layer", name)
        return layer

    @property
    def layers(self) -> Mapping[str, Layer]:
        """The finished layers by name; only those that are looked at are recorded."""
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
        """Return the names of the layers that objects stand on which name none, in order."""
        names: tuple[str, ...] = self._ask("ground layers")
        return names

    def all_layers(self) -> Mapping[str, Layer]:
        """Return all finished layers at once."""
        layers: Mapping[str, Layer] = self._ask("layers")
        return layers

    def objects(self) -> tuple[PlacedObject, ...]:
        """Return all placed objects."""
        objects: tuple[PlacedObject, ...] = self._ask("objects")
        return objects

    def generated_layer(self, name: str) -> Layer:
        """Return a layer as it is without its hand edits."""
        layer: Layer = self._ask("generated layer", name)
        return layer

    def cell_edits(self, layer: str) -> tuple[CellEdit, ...]:
        """Return the hand edits of a layer that has some."""
        edits: tuple[CellEdit, ...] = self._ask("cell edits", layer)
        return edits

    def objects_named(self, name: str) -> tuple[PlacedObject, ...]:
        """Return the placed objects of a name; their ids count from 1."""
        objects: tuple[PlacedObject, ...] = self._ask("objects named", name)
        return objects

    def group(self, name: str, number: int) -> ObjectParameters:
        """Return a group of objects, but for its properties.

        Args:
            name: The name of the objects.
            number: Which group of that name it is, from 1 in the order of the build.
        """
        group: ObjectParameters = self._ask("group", name, number)
        return group

    def taken(self, name: str, number: int) -> NDArray[np.bool_]:
        """Return the cells that a group cannot have: bool [height, width]."""
        taken: NDArray[np.bool_] = self._ask("taken", name, number)
        return taken

    def object_cells(self, *names: str) -> tuple[int, ...]:
        """Return the cells of the objects of some names that stand: row-major numbers, sorted."""
        cells: tuple[int, ...] = self._ask("object cells", *names)
        return cells

    def standing_cells(self, *names: str) -> tuple[int, ...]:
        """Return what `object_cells` does, after hand edits; all of these objects stand."""
        cells: tuple[int, ...] = self._ask("standing cells", *names)
        return cells

    def ground(self, layer: str | None) -> Ground:
        """Return what objects stand on: a layer, or all ground layers together.

        Raises:
            ParameterError: With the path of the parameter, if nothing can stand there.
        """
        ground: Ground = self._ask("ground", layer or "")
        return ground

    def rooms(self, layer: str | None) -> RoomMap | None:
        """Return the rooms of what objects stand on, and which are neighbours; None without any.

        Args:
            layer: The ground, as in `ground`.

        Raises:
            ParameterError: With the path of the parameter, if nothing can stand there.
        """
        rooms: RoomMap | None = self._ask("rooms", layer or "")
        return rooms

    def walking_steps(
        self, layer: str | None, names: tuple[str, ...], *, aside: bool
    ) -> NDArray[np.int32]:
        """Return the steps from the nearest object of some names: int32 [height, width].

        Args:
            layer: The ground, as in `ground`.
            names: Those of the objects.
            aside: As in `exporter.placement.board.walking_steps`.
        """
        steps: NDArray[np.int32] = self._ask("walking steps", layer or "", int(aside), *names)
        return steps

    def occupied_cells(self) -> NDArray[np.bool_]:
        """Return the cells that objects have so far, or are kept for them: bool [height, width]."""
        occupied: NDArray[np.bool_] = self._ask("occupied cells")
        return occupied

    def placed_keys(self) -> tuple[PlacedObject, ...]:
        """Return the objects that stand so far and open a lock."""
        keys: tuple[PlacedObject, ...] = self._ask("keys")
        return keys

    def mission_locks(self) -> tuple[Lock, ...]:
        """Return the locks that the mission has placed."""
        locks: tuple[Lock, ...] = self._ask("mission locks")
        return locks

    def mission(self) -> Mission | None:
        """Return the mission, which is proven; None without one."""
        mission: Mission | None = self._ask("mission")
        return mission

    def puzzles(self) -> Mapping[str, Puzzle]:
        """Return the finished puzzles."""
        puzzles: Mapping[str, Puzzle] = self._ask("puzzles")
        return puzzles

    def sight_layer(self) -> str:
        """Return the name of the layer that blocks sight.

        Raises:
            SpecError: No layer can.
        """
        name: str = self._ask("sight layer")
        return name

    def visibility(self) -> VisibilityTable:
        """Return the field of view of every cell; computed when it is first asked for."""
        table: VisibilityTable = self._ask("visibility")
        return table

    def tileset(self) -> TilesetSource | None:
        """Return the tileset the spec names, with its pixels."""
        tileset: TilesetSource | None = self._ask("tileset")
        return tileset

    def file(self, name: str) -> bytes:
        """Return the content of a file, by its path relative to the spec.

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

    def expect(self, place: str) -> None:
        """Note that a file was looked for in vain, by its path relative to the root."""
        self._ask("missing file", place)

    def error(self, path: ValuePath, message: str) -> SpecError:
        """Return an error at a place of the spec, to raise."""
        return self._source.error(path, message)

    def problem(self, path: ValuePath, message: str) -> Problem:
        """Return a problem at a place of the spec."""
        return self._source.error(path, message).problems[0]

    def level(self) -> Level:
        """Return the finished level; it stands for everything it was assembled from."""
        level, questions = self._source.level()
        self.questions.update(dict.fromkeys(questions))
        return level

    def attempt(self, path: ValuePath, step: Callable[..., Any], *arguments: Any) -> Any:
        """Run a step; what it cannot do becomes an error at `path` of the spec.

        Raises:
            SpecError: For every ParameterError of the step.
        """
        try:
            return step(*arguments)
        except ParameterError as error:
            raise self._source.error(path, error.message, error.path) from None

    def _ask(self, *question: str | int) -> Any:
        self.questions[question] = None
        return self._source.answer(question)


class _Layers(Mapping[str, Layer]):
    """The finished layers, as a stage sees them: what it looks at is recorded."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs

    def __getitem__(self, name: str) -> Layer:
        return self._inputs.layer(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._inputs.layer_names())

    def __len__(self) -> int:
        return len(self._inputs.layer_names())
