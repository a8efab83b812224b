"""One build: a checked spec becomes a level, step by step, and whatever is unchanged is remembered.

Everything here is pure but for the files a spec names. The order: layers and groups of objects as
`exporter.reading.build_order` says, puzzles; the field of view and the tileset are made when
somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.build import results, steps
from exporter.build.costs import check_at_once
from exporter.build.edit_stages import HandEdits
from exporter.build.files import InputFiles, Reader
from exporter.build.foreseen import file_problems
from exporter.build.inputs import Inputs, Question
from exporter.build.object_groups import ObjectGroups
from exporter.build.requirements import (
    Breach,
    Distance,
    Figure,
    broken_limits,
    broken_metrics,
    unmet,
)
from exporter.build.room_connections import with_connections
from exporter.build.shortfalls import ObjectCount, object_counts, shortfalls
from exporter.build.stages import Stage, StageCache, Stages, Track, untracked
from exporter.generators import GENERATORS
from exporter.measures.measured import Measured
from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.model.input_files import read_input
from exporter.model.keys import stage_key, value_key
from exporter.model.level import Layer, Level, Puzzle
from exporter.model.parameters import Parameters, references
from exporter.model.suggestions import unknown_name
from exporter.reading.build_order import Part, spec_graph
from exporter.reading.document import Path as ValuePath
from exporter.reading.level_spec import LayerSpec, LevelSpec, MetricLimit
from exporter.reading.references import NO_SIGHT_LAYER, NO_WALKABLE_CELLS
from exporter.reading.roles import finished_role, layer_roles, role_problem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.build.edit_warnings import EditTroubles
    from exporter.build.seed_search import FoundSeed
    from exporter.generators._trace import Trace
    from exporter.grids.room_maps import RoomMap
    from exporter.placement.ground import Ground
    from exporter.visibility.table import VisibilityTable

# The keys of answers that are none: no such thing, and nothing that could be read.
ABSENT = stage_key("absent")
UNREADABLE = stage_key("unreadable")


def _pass_over(step: str, path: ValuePath) -> None:
    """Do nothing before a step."""


def build_level(spec: LevelSpec, root: Path | None = None) -> Level:
    """Build a level from its spec.

    Args:
        spec: The checked spec.
        root: The folder its input files must lie in; default: the spec's own folder.

    Raises:
        SpecError: When a step cannot do what the spec asks, or a requirement is not met.
    """
    level, _ = Build(spec, root).level()
    return level


class Build:
    """One build: what is finished so far, and the answers to what its stages ask.

    Args:
        spec: The checked spec.
        root: The folder its input files must lie in; default: the spec's own folder.
        cache: Where results of stages are kept; None runs every stage.
        identity: What stands for the exporter's own code in the keys of the stages.
        before_step: Called with every step and its path in the spec before it is taken.
        track: Is told of each stage, and of the field of view and the tileset.
        reader: Reads the input files: see `InputFiles`.

    Attributes:
        stages: Runs the stages, or remembers them.
        files: The input files, with the hashes of those that were read.
        layers: The finished layers, in the order of the spec once all are there.
        groups: The groups of objects.
        found: The seed that was searched for, if the spec says so; after `prepare`.
    """

    def __init__(
        self,
        spec: LevelSpec,
        root: Path | None = None,
        cache: StageCache | None = None,
        identity: str = "",
        before_step: Callable[[str, ValuePath], None] = _pass_over,
        track: Track = untracked,
        reader: Reader = read_input,
    ) -> None:
        self.spec = spec
        self.before_step = before_step
        self.files = InputFiles(root if root is not None else spec.folder, spec.folder, reader)
        self._reader = reader
        self.stages = Stages(self, cache, identity, track)
        self.layers: dict[str, Layer] = {}
        self.found: FoundSeed | None = None
        self.edits = HandEdits(spec, self.files)
        self._layer_keys: dict[str, str | None] = {}
        self.groups = ObjectGroups(spec.objects, spec.size, self.edits.objects)
        self._grounds: dict[str, Ground] = {}
        self._rooms: dict[str, RoomMap | None] = {}
        self._steps: dict[tuple[object, ...], NDArray[np.int32]] = {}
        self._puzzles: dict[str, Puzzle] = {}
        self._puzzle_keys: dict[str, str | None] = {}
        self._table: VisibilityTable | None = None
        self._level: tuple[Level, tuple[Question, ...]] | None = None
        self._graph = spec_graph(spec)
        self._roles = layer_roles(spec.layers)
        self._prepared = False

    # --- the steps in order -------------------------------------------------------------------

    def prepare(self) -> None:
        """Finish layers, objects and puzzles, and check what the spec requires of them.

        Raises:
            SpecError: When a step cannot do what the spec asks, or a requirement is not met.
        """
        if self._prepared:
            return
        self._begin()
        for part in self._graph.ordered():
            self._make(part)
        self.layers = {name: self.layers[name] for name in self.spec.layers}
        self._check_level_requirements()
        self._make_puzzles()
        if self.spec.visibility is not None:
            self._sight_layer()
        steps.request_tileset(Inputs(self))
        self._check_whole_level()
        self._prepared = True

    def level(self) -> tuple[Level, tuple[Question, ...]]:
        """Return the finished level, always the same one, and all that was asked to assemble it.

        Raises:
            SpecError: As `prepare`.
        """
        if self._level is None:
            self.prepare()
            inputs = Inputs(self)
            level = steps.assemble_level(inputs)
            self._level = level, tuple(inputs.questions)
        return self._level

    def measured(self) -> Measured:
        """Return the level as metrics look at it, with the field of view if one asks for it.

        After `prepare`. What only outputs have, such as tables, is there after `level`.
        """
        if self._level is not None:
            return Measured(self._level[0])
        width, height = self.spec.size
        layers, objects = self.layers, self.groups.all
        level = Level(self.spec.level, width, height, layers=layers, objects=objects)
        return Measured(level, self._visibility if self.spec.visibility is not None else None)

    def shortfalls(self) -> list[Problem]:
        """Return a warning for all that is less than the spec asks for; after `prepare`.

        Hand edits that do not fit the level are among them.
        """
        less = shortfalls(self.spec, self.layers, self.groups.generated, self.groups.spawned)
        return [*less, *self.edits.warnings(self.layers, self.groups.misfits)]

    def separate_cells(self, layer: str) -> NDArray[np.bool_] | None:
        """Return what could be walked on in a layer before regions were joined; after `prepare`.

        See `exporter.build.steps.cells_before_joining`.
        """
        return steps.cells_before_joining(layer, Inputs(self))

    def generated_layer(self, name: str) -> Layer:
        """Return a layer as it is without its hand edits; after `prepare`."""
        return self.edits.generated.get(name, self.layers[name])

    def edit_troubles(self) -> EditTroubles:
        """Return the hand edits that do not fit the level; after `prepare`."""
        return self.edits.troubles(self.groups.misfits)

    def edited_cells(self, only: str | None = None) -> dict[tuple[int, int], str]:
        """Return the cells that were edited by hand: see `HandEdits.marked`; after `prepare`.

        Args:
            only: A layer whose edits are wanted, beside those of objects; default: all layers.
        """
        aligned = [
            name
            for name, layer in self.layers.items()
            if layer.grid_aligned and only in (None, name)
        ]
        return self.edits.marked(aligned, self.groups.misfits)

    def object_counts(self) -> dict[str, ObjectCount]:
        """Return how many objects of each name were asked for and placed; after `prepare`."""
        return object_counts(self.spec, self.groups.all, self.groups.spawned)

    def find_seed(self) -> LevelSpec:
        """Find the seed if the spec searches for it; return the spec, which then has it.

        Raises:
            SpecError: No candidate is what is wanted.
        """
        if self.spec.search is None:
            return self.spec
        from exporter.build import seed_search

        root, tell = self.files.root, self.before_step
        build = Build if self._reader is read_input else partial(Build, reader=self._reader)
        stage = Stage(
            ("seed",),
            partial(seed_search.search_seed, self.spec, root, build, tell),
            seed_search.encode_found,
            seed_search.decode_found,
            "seed search",
        )
        found, _ = self.stages.run(stage)
        self.found = found
        self.spec = self.spec.with_seed(found.seed)
        return self.spec

    def traced_layer(self, name: str, trace: Trace) -> Layer:
        """Make what comes before a layer in the order of the build, then the layer with its steps.

        Nothing of this build can be asked for afterwards but its files. What the spec requires of
        the layer itself is not checked: its steps may show why it is not met.

        Args:
            name: One of the spec's layers.
            trace: Is told of the steps.

        Returns:
            The layer with its hand edits.

        Raises:
            SpecError: As `prepare`.
            ValueError: Some layers are made already.
        """
        if self.layers or self._prepared:
            raise ValueError("the steps of a layer need a build of which nothing is made yet")
        self._begin()
        for part in self._graph.ordered():
            if part == Part("layer", name):
                break
            self._make(part)
        self._before_layer(name)
        # Not as a stage: what is remembered never comes from a layer with steps.
        with self.stages.track(f"layer {name}"):
            made = steps.make_layer(name, Inputs(self), trace)
        edited, _ = self.edits.of_layer(self.stages, made, None)
        if edited is not made:
            trace.frame("hand edits", edited.cells, edited.tiles)
        return with_connections(edited)

    def _begin(self) -> None:
        """Look for the files and the seed.

        Raises:
            SpecError: The level is too large to be made at once.
        """
        check_at_once(self.spec)
        self.edits.note_file()
        missing = file_problems(self.spec, self.files)
        if missing:
            raise SpecError(missing)
        self.find_seed()

    def _make(self, part: Part) -> None:
        """Make a layer or a group of objects once what it names stands.

        Raises:
            SpecError: A step cannot do what the spec asks.
        """
        if part.kind == "layer":
            self._make_layer(str(part.key))
        elif part.kind == "objects":
            self._place_group(int(part.key))

    def _before_layer(self, name: str) -> None:
        self._check_object_names(("layers", name), self.spec.layers[name].parameters)
        self.before_step(f"layer {name!r}", ("layers", name))

    def _make_layer(self, name: str) -> None:
        self._before_layer(name)
        entry = GENERATORS.get(self.spec.layers[name].generator)
        stage = Stage(
            ("layer", entry.name, str(entry.version), name),
            partial(steps.make_layer, name),
            results.encode_layer,
            results.decode_layer,
            f"layer {name}",
        )
        made, key = self.edits.of_layer(self.stages, *self.stages.run(stage))
        # The hand edits are in the cells by now: the ways between rooms are those of them.
        self.layers[name] = with_connections(self._with_role(made))
        if made.objects:
            self.groups.stand(self.layers[one] for one in self.spec.layers if one in self.layers)
        # A role is no part of the stage: writing another one makes no layer anew.
        role = self.layers[name].role
        self._layer_keys[name] = None if key is None else stage_key(key, role)
        self._check_requirements(self.layers[name], self.spec.layers[name])

    def _place_group(self, index: int) -> None:
        self._check_object_names(("objects", index), self.spec.objects[index])
        name, number = self.groups.begin(index)
        self.before_step(f"objects {name!r}", ("objects", index))
        stage = Stage(
            ("objects", name, str(number)),
            partial(steps.place_group, index, name, number),
            results.encode_places,
            results.decode_places,
        )
        self.groups.finish(index, *self.stages.run(stage))

    def _check_object_names(self, path: ValuePath, parameters: Parameters) -> None:
        """Refuse names of objects that neither the spec has nor a layer has brought.

        Unless layers bring objects out of files, they were checked with the spec.
        """
        known = self.groups.names
        for one in references(parameters):
            if one.rule.to == "object" and one.name not in known:
                message = unknown_name("object", one.name, sorted(known))
                raise self.spec.error((*path, *one.path), message)

    def _with_role(self, layer: Layer) -> Layer:
        """Return a layer with its role.

        Raises:
            SpecError: The role that is written for it is only for tiles of the level's size.
        """
        written = self.spec.layers[layer.name].options.role
        size = None if layer.grid_aligned else (layer.width, layer.height)
        message = role_problem(written, heights=layer.kind == "heights", other_size=size)
        if message:
            raise self.spec.error(("layers", layer.name, "role"), message)
        role = finished_role(layer, self._roles[layer.name])
        return layer if layer.role == role else replace(layer, role=role)

    def _make_puzzles(self) -> None:
        if not self.spec.puzzles:
            return
        from exporter.puzzles import PUZZLES

        for name, puzzle in self.spec.puzzles.items():
            self.before_step(f"puzzle {name!r}", ("puzzles", name))
            kind = PUZZLES.get(puzzle.kind)
            stage = Stage(
                ("puzzle", kind.name, str(kind.version), name),
                partial(steps.make_puzzle, name),
                results.encode_puzzle,
                results.decode_puzzle,
                f"puzzle {name}",
            )
            self._puzzles[name], self._puzzle_keys[name] = self.stages.run(stage)

    # --- what the spec requires ---------------------------------------------------------------

    def _check_level_requirements(self) -> None:
        """Check what is required of the walkable cells of the level, as of one layer."""
        found = [*self._broken_limits(), *self._broken_metrics(whole=False)]
        if found:
            raise unmet(found)

    def _check_whole_level(self) -> None:
        """Check what is required of the metrics that need everything else of the level."""
        found = self._broken_metrics(whole=True)
        if found:
            raise unmet(found)

    def _broken_metrics(self, *, whole: bool) -> list[tuple[Problem, Breach]]:
        """Return the limits for metrics of the level that are not kept.

        Args:
            whole: Look at those that need all of the level; else at the others.
        """
        limits = [one for one in self.spec.limits if _needs_level(one) == whole]
        if not limits:
            return []
        self.before_step("the metrics", ("require",))
        names = tuple(one.name for one in limits)
        stage = Stage(
            ("metrics", *names),
            partial(steps.measure_level, names, whole),
            results.encode_figures,
            results.decode_figures,
            "metrics",
        )
        figures, _ = self.stages.run(stage)
        broken = broken_metrics(limits, figures)
        return [
            (self.spec.problem(("require", *path), breach.text), breach)
            for path, breach in broken.items()
        ]

    def _broken_limits(self) -> list[tuple[Problem, Breach]]:
        """Return the limits for the walkable cells of the level that are not kept."""
        require = self.spec.require
        if require is None or not require.limits_cells():
            return []
        self.before_step("the walkable cells", ("require",))
        stage = Stage(
            ("walkable cells",),
            steps.certify_level,
            results.encode_certificate,
            results.decode_certificate,
        )
        certificate, _ = self.stages.run(stage)
        if certificate is None:
            return [(self.spec.problem(("require",), NO_WALKABLE_CELLS), Breach(NO_WALKABLE_CELLS))]
        lacking = [name for name in self._play_layers() if not self.layers[name].complete]
        farthest = self._farthest(require.start) if require.start is not None else None
        unplaced: list[tuple[Problem, Breach]] = []
        if isinstance(farthest, str):
            unplaced = [(self.spec.problem(("require", "start"), farthest), Breach(farthest))]
            farthest, require = None, replace(require, min_distance=None)
        broken = broken_limits(certificate, not lacking, require, farthest)
        playing = self._play_layers()
        if len(playing) == 1:
            what = f"layer {playing[0]!r}"
        else:
            # Layers that were meant for something else may be among them.
            what = f"the `play` layers {', '.join(playing)} together"
            if lacking and "complete" in broken:
                breach = broken["complete"]
                broken["complete"] = replace(breach, text=f"{breach.text} in {', '.join(lacking)}")
        return unplaced + [
            (self.spec.problem(("require", key), f"{what}: {breach.text}"), breach)
            for key, breach in broken.items()
        ]

    def _farthest(self, start: str) -> Distance | str:
        """Return how far the farthest cell is from objects; a text says why that has no answer.

        Raises:
            SpecError: Neither the spec nor a layer has objects of that name.
        """
        known = self.groups.names
        if start not in known:
            message = unknown_name("object", start, sorted(known))
            raise self.spec.error(("require", "start"), message)
        stage = Stage(
            ("farthest", start),
            partial(steps.measure_farthest, start),
            results.encode_figures,
            results.decode_figures,
        )
        figures, _ = self.stages.run(stage)
        figure = figures[start]
        return figure if isinstance(figure, str) else Distance(int(figure), start)

    def _check_requirements(self, layer: Layer, spec: LayerSpec) -> None:
        """Check what is required of one layer."""
        broken: dict[tuple[str, ...], Breach] = {}
        if spec.options.require is not None:
            limits = broken_limits(layer.certificate, layer.complete, spec.options.require)
            broken = {(key,): breach for key, breach in limits.items()}
        if spec.limits:
            figures = self._figures_of(layer, spec)
            broken |= broken_metrics(spec.limits, figures)
        if broken:
            place: ValuePath = ("layers", layer.name, "require")
            what = f"layer {layer.name!r}"
            raise unmet(
                (self.spec.problem((*place, *path), f"{what}: {breach.text}"), breach)
                for path, breach in broken.items()
            )

    def _figures_of(self, layer: Layer, spec: LayerSpec) -> dict[str, Figure]:
        """Return the metrics that are required of one layer."""
        from exporter.measures.measured import Measured
        from exporter.measures.names import named_metric

        measured = Measured(layer)
        figures: dict[str, Figure] = {}
        for one in spec.limits:
            try:
                figures[one.name] = steps.figure(named_metric(one.name), measured)
            except ParameterError as error:
                path = ("layers", layer.name, "require", one.name)
                raise self.spec.error(path, error.message) from None
        return figures

    # --- answers to what stages ask -----------------------------------------------------------

    def answer(self, question: Question) -> Any:
        """Return what a stage asked for; see `exporter.build.inputs.Source`."""
        kind, *names = question
        return self._answers[str(kind)](*names)

    def key(self, question: Question) -> str | None:
        """Return the hash of an answer; see `exporter.build.inputs.Source`."""
        kind, *names = question
        try:
            return self._keys[str(kind)](*names)
        except (KeyError, IndexError, AttributeError):
            return ABSENT
        except (SpecError, ParameterError):
            return UNREADABLE

    def depend(self, questions: Iterable[Question]) -> None:
        """Note that the level depends on these answers; see `exporter.build.inputs.Source`."""
        for kind, *names in questions:
            if kind == "file":
                self.files.read(str(names[0]))
            elif kind == "game file":
                # A result may rest on a file that is not there; that is remembered, too.
                with suppress(ParameterError):
                    self._game_file(str(names[0]), str(names[1]))
            elif kind == "missing file":
                self.files.expect(str(names[0]))

    def error(self, path: ValuePath, message: str, inside: ValuePath = ()) -> SpecError:
        """Word a problem at a place of the spec; see `exporter.build.inputs.Source`."""
        place = (*path, *inside)
        # The seed and the size of a layer mostly stand at the top of the spec.
        if inside and inside[0] in ("seed", "size") and self.spec.document.get(place) is None:
            place = inside
        return self.spec.error(place, message)

    @cached_property
    def _answers(self) -> dict[str, Callable[..., Any]]:
        """How each kind of question is answered."""
        return {
            "spec": self._spec_value,
            "searched part": self._searched_part,
            "layer": self.layers.__getitem__,
            "layer names": lambda: tuple(self.layers),
            "play layers": self._play_layers,
            "layers": lambda: dict(self.layers),
            "ground layers": self._ground_layers,
            "objects": lambda: self.groups.all,
            "objects named": self.groups.named,
            "group": self.groups.group,
            "taken": self.groups.taken,
            "object cells": self.groups.cells,
            "standing cells": self.groups.standing_cells,
            "ground": self._ground,
            "rooms": self._rooms_of,
            "walking steps": self._walking_steps,
            "puzzles": lambda: dict(self._puzzles),
            "sight layer": self._sight_layer,
            "visibility": self._visibility,
            "tileset": self._tileset,
            "file": self.files.read,
            "game file": self._game_file,
            "missing file": self.files.expect,
            "generated layer": self.edits.generated.__getitem__,
            "cell edits": self.edits.cells.__getitem__,
        }

    @cached_property
    def _keys(self) -> dict[str, Callable[..., str | None]]:
        """How the key of each kind of answer is found, without computing what is costly."""
        return {
            "spec": lambda *path: value_key(self._spec_value(*path)),
            "searched part": lambda: value_key(self._searched_part()),
            "layer": self._layer_keys.__getitem__,
            "layer names": lambda: value_key(tuple(self.layers)),
            "play layers": lambda: value_key(self._play_layers()),
            "layers": lambda: _joined(self._layer_keys, self.layers),
            "ground layers": lambda: value_key(self._ground_layers()),
            "objects": self.groups.all_key,
            "objects named": self.groups.named_key,
            "group": lambda *group: value_key(self.groups.group(*group)),
            "taken": self.groups.taken_key,
            "object cells": self.groups.cells_key,
            "standing cells": self.groups.standing_cells_key,
            "ground": lambda name: self._request_key(partial(steps.find_ground, name)),
            # The rooms, and the ways between them, follow from the ground.
            "rooms": lambda name: self.key(("ground", name)),
            "walking steps": self._walking_steps_key,
            "puzzles": lambda: _joined(self._puzzle_keys, self._puzzles),
            "sight layer": lambda: value_key(self._sight_layer()),
            "visibility": lambda: self._request_key(steps.request_sight),
            "tileset": lambda: self._request_key(steps.request_tileset),
            "file": self.files.key,
            "game file": lambda game, name: self.files.key(name, game),
            "missing file": lambda place: ABSENT,
            "generated layer": self.edits.generated_keys.__getitem__,
            "cell edits": self.edits.cells_key,
        }

    def _game_file(self, game: str, name: str) -> bytes:
        return self.files.read(name, game)

    def _request_key(self, request: Callable[[Inputs], Any]) -> str | None:
        """Return the key of what is computed from a request alone."""
        inputs = Inputs(self)
        request(inputs)
        return self.stages.key(inputs.questions)

    def _spec_value(self, *path: str | int) -> Any:
        value: Any = self.spec
        for step in path:
            inside = isinstance(value, Mapping | tuple)
            value = value[step] if inside else getattr(value, str(step))
        return value

    def _searched_part(self) -> dict[str, Any]:
        from exporter.build.seed_search import searched_part

        return searched_part(self.spec)

    def _play_layers(self) -> tuple[str, ...]:
        return tuple(name for name, layer in self.layers.items() if layer.role == "play")

    def _ground_layers(self) -> tuple[str, ...]:
        """Return the names of the `play` layers that are not late, in the order of the spec."""
        playing = set(self._play_layers()) - self._graph.late
        return tuple(name for name in self.spec.layers if name in playing)

    def _ground(self, name: str) -> Ground:
        if name not in self._grounds:
            self._grounds[name] = steps.find_ground(name, Inputs(self))
        return self._grounds[name]

    def _rooms_of(self, ground: str) -> RoomMap | None:
        if ground not in self._rooms:
            self._rooms[ground] = steps.find_rooms(ground, Inputs(self))
        return self._rooms[ground]

    def _walking_steps(self, layer: str, aside: int, *names: str) -> NDArray[np.int32]:
        place = (layer, aside, *names)
        if place not in self._steps:
            self._steps[place] = steps.measure_steps(layer, aside, names, Inputs(self))
        return self._steps[place]

    def _walking_steps_key(self, layer: str, aside: int, *names: str) -> str | None:
        return self.stages.key([("ground", layer), ("standing cells", *names)])

    def _sight_layer(self) -> str:
        visibility = self.spec.visibility
        if visibility is None:
            raise self.spec.error((), "the level has no `visibility:`")
        if visibility.layer is not None:
            layer = self.layers.get(visibility.layer)
            if layer is None or layer.kind != "tiles" or not layer.grid_aligned:
                raise self.spec.error(
                    ("visibility", "layer"),
                    f"{visibility.layer!r} is not a tile layer of the level's size",
                )
            return visibility.layer
        # The last one: it lies above the others.
        able = self._ground_layers()
        if able:
            return able[-1]
        raise self.spec.error(("visibility",), NO_SIGHT_LAYER)

    def _visibility(self) -> VisibilityTable:
        if self._table is None:
            request = steps.request_sight(Inputs(self))
            self.before_step("the visibility", ("visibility",))
            try:
                with self.stages.track("sight"):
                    self._table = steps.compute_sight(request)
            except (ValueError, ParameterError) as error:
                raise self.spec.error(("visibility",), str(error)) from None
        return self._table

    def _tileset(self) -> Any:
        inputs = Inputs(self)
        with self.stages.track("tileset"):
            return inputs.attempt((), steps.open_tileset, steps.request_tileset(inputs))


def _needs_level(one: MetricLimit) -> bool:
    """Whether a metric needs more than the map, the sight and the objects of a level."""
    from exporter.measures.names import named_metric

    return "level" in named_metric(one.name).metric.needs


def _joined(keys: dict[str, str | None], names: dict[str, Any]) -> str | None:
    """Return one key for several named results, in their order."""
    parts: list[str] = []
    for name in names:
        key = keys[name]
        if key is None:
            return None
        parts += [name, key]
    return stage_key(*parts)
