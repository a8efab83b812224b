"""Build a level from its spec in steps; reuse unchanged results.

A step makes one layer, group of objects or puzzle. Layers and groups are made in an order in which
each comes after those that it reads (`exporter.reading.build_order`), then puzzles; the field of
view and the tileset are made when something reads them. The only input besides the spec is the
files that the spec names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.build import layer_steps, level_steps, object_steps, results
from exporter.build.costs import check_at_once
from exporter.build.files import InputFiles, Reader
from exporter.build.inputs import Inputs, Question
from exporter.build.level_checks import LevelChecks
from exporter.build.level_source import LevelSource
from exporter.build.missing_files import file_problems
from exporter.build.room_connections import with_connections
from exporter.build.shortfalls import ObjectCount, object_counts, shortfalls
from exporter.build.stages import Stage, StageCache, Stages, Track, untracked
from exporter.generators import GENERATORS
from exporter.measures.measured import Measured
from exporter.model.errors import Problem, SpecError
from exporter.model.input_files import read_input
from exporter.model.keys import stage_key
from exporter.model.level import Layer, Level
from exporter.model.parameters import Parameters, references
from exporter.model.suggestions import unknown_name
from exporter.reading.build_order import BuildPart
from exporter.reading.level_spec import LevelSpec
from exporter.reading.roles import copied_layers, finished_role, layer_roles, role_problem
from exporter.reading.yaml_reader import Path as ValuePath

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.build.edit_warnings import EditConflicts
    from exporter.build.seed_search import SeedResult
    from exporter.generators.trace import Trace


def _pass_over(step: str, path: ValuePath) -> None:
    """Do nothing: the default of `before_step`."""


def build_level(spec: LevelSpec, root: Path | None = None) -> Level:
    """Build a whole level from its checked spec, without a cache.

    Input files must lie in the folder `root`; None for the spec's own folder.

    Raises:
        SpecError: A step is impossible as specified, or a requirement is not met.
    """
    level, _ = Build(spec, root).level()
    return level


OTHER_GRID = (
    "objects of a layer with its own size cannot be placed in the level's cells (remove "
    "`size`, stamp the layer, or leave its objects out with `objects: false`)"
)


class Build:
    """The build of one level: runs its steps and keeps their results.

    Args:
        spec: The checked spec.
        root: The folder that input files must lie in; None for the spec's own folder.
        cache: Keeps the results of stages between builds; None runs every stage.
        identity: The hash of the exporter's code, for the cache keys of the stages.
        before_step: Called before each step, with the step's name and its path in the spec.
        track: Called with the name of each stage, and of the field of view and the tileset; returns
            a context, such as a clock, in which these are made.
        reader: Reads an input file by its real path; another one than the default can read from a
            commit.

    Attributes:
        source: Holds the finished layers, objects and puzzles, which later stages read.
        stages: Runs the stages, or returns their stored results.
        files: Reads the input files; has the hashes of those read so far.
        layers: The finished layers by name; once all are built, in the order of the spec.
        groups: The groups of objects.
        edits: The hand edits.
        seed_result: The result of the seed search; None without one, or before `prepare`.
        origin: The cell (x, y) of the world at which the level begins; (0, 0) for a whole level.
    """

    origin = (0, 0)

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
        self.before_step = before_step
        self.files = InputFiles(root if root is not None else spec.folder, spec.folder, reader)
        self.source = LevelSource(spec, self.files, before_step, track, self.level)
        self.stages = Stages(self.source, cache, identity, track)
        self.layers, self.groups = self.source.layers, self.source.groups
        self.edits = self.source.edits
        self._layers_before_mission: frozenset[str] = frozenset()
        self.seed_result: SeedResult | None = None
        self._checks = LevelChecks(self.source, self.stages, before_step)
        self._reader = reader
        self._level: tuple[Level, tuple[Question, ...]] | None = None
        self._roles = layer_roles(spec.layers)
        self._prepared = False

    @property
    def spec(self) -> LevelSpec:
        """The spec; after `prepare`, with the seed that a search has found."""
        return self.source.spec

    # --- the steps in order -------------------------------------------------------------------

    def prepare(self) -> None:
        """Build layers, objects and puzzles, and check their requirements.

        Raises:
            SpecError: A step is impossible as specified, or a requirement is not met.
        """
        if self._prepared:
            return
        self._begin()
        for part in self.source.graph.ordered():
            self._make(part)
        for name in self.spec.layers:  # in the order of the spec from now on
            self.layers[name] = self.layers.pop(name)
        if self.spec.mission is not None:
            self._prove_mission()
        self._checks.check_cells_and_metrics()
        self._make_puzzles()
        if self.spec.visibility is not None:
            self.source.sight_layer()
        level_steps.request_tileset(Inputs(self.source))
        self._checks.check_whole_level()
        self._prepared = True

    def level(self) -> tuple[Level, tuple[Question, ...]]:
        """Return the finished level, and all reads from which it was assembled.

        A recorded read is called a question: the name of an input, such as ("layer", "floor").

        Raises:
            SpecError: A step is impossible as specified, or a requirement is not met.
        """
        if self._level is None:
            self.prepare()
            inputs = Inputs(self.source)
            level = level_steps.assemble_level(inputs)
            self._level = level, tuple(inputs.questions)
        return self._level

    def measured(self) -> Measured:
        """Return the level in the form from which metrics are computed.

        Call `prepare` first. Tables and other values that only outputs need are missing until
        `level` is called.
        """
        if self._level is not None:
            return Measured(self._level[0])
        width, height = self.spec.size
        layers, objects = self.layers, self.groups.all
        mission = self.source.mission
        level = Level(
            self.spec.level, width, height, layers=layers, objects=objects, mission=mission
        )
        sight = (lambda: self.source.visibility) if self.spec.visibility is not None else None
        return Measured(level, sight)

    def shortfalls(self) -> list[Problem]:
        """Return warnings about objects and cells that could not be made.

        Hand edits that do not fit the generated level get a warning, too.
        """
        less = shortfalls(self.spec, self.layers, self.groups.generated, self.groups.spawned)
        return [*less, *self.edits.warnings(self.layers, self.groups.conflicts)]

    def separate_cells(self, layer: str) -> NDArray[np.bool_] | None:
        """Return the walkable cells of `layer` before `connect` joined regions.

        bool [height, width]; None for a layer without `connect`. Call `prepare` first.
        """
        return layer_steps.cells_before_joining(layer, Inputs(self.source))

    def generated_layer(self, name: str) -> Layer:
        """Return the layer `name` as it was before its hand edits.

        Call `prepare` first.
        """
        return self.edits.generated.get(name, self.layers[name])

    def edit_conflicts(self) -> EditConflicts:
        """Return the hand edits that do not fit the level as generated.

        Call `prepare` first.
        """
        return self.edits.conflicts(self.groups.conflicts)

    def edited_cells(self, only: str | None = None) -> dict[tuple[int, int], str]:
        """Return `edit` or `conflict` for each hand-edited cell, by (x, y).

        `conflict` means that the generated level has changed below the edit. Edits of other layers
        than `only` are left out; None includes all layers. Edits that cannot be applied are left
        out, too.
        """
        aligned = [
            name
            for name, layer in self.layers.items()
            if layer.grid_aligned and only in (None, name)
        ]
        return self.edits.marked(aligned, self.groups.conflicts)

    def object_counts(self) -> dict[str, ObjectCount]:
        """Return how many objects were requested and placed, by their name."""
        return object_counts(self.spec, self.groups.all, self.groups.spawned)

    def again(
        self, cache: StageCache | None, before_step: Callable[[str, ValuePath], None]
    ) -> Build:
        """Return a new build of the same spec, which has not begun.

        `cache` keeps the results of stages; None runs every stage. `before_step` is called before
        each step, with the step's name and its path in the spec.
        """
        return Build(self.spec, self.files.root, cache, before_step=before_step)

    def find_seed(self) -> LevelSpec:
        """Search for a seed if the spec asks for that; return the spec with it.

        Raises:
            SpecError: No tried seed meets the criteria.
        """
        if self.spec.search is None:
            return self.spec
        from exporter.build import seed_search

        root, tell = self.files.root, self.before_step
        build = Build if self._reader is read_input else partial(Build, reader=self._reader)
        stage = Stage(
            ("seed",),
            partial(seed_search.search_seed, self.spec, root, build, tell),
            seed_search.encode_search_result,
            seed_search.decode_search_result,
            "seed search",
        )
        result, _ = self.stages.run(stage)
        self.seed_result = result
        self.source.spec = self.spec.with_seed(result.seed)
        return self.spec

    def traced_layer(self, name: str, trace: Trace) -> Layer:
        """Build the layer `name`; record the steps of its generator in `trace`.

        Layers and objects that come before this layer are built first, without recording. The
        requirements of the layer are not checked, because its steps may show why it does not meet
        them. Afterwards only `files` of this build can be used.

        Returns:
            The layer with its hand edits.

        Raises:
            SpecError: A step is impossible as specified, or an earlier layer does not meet its
                requirements.
            ValueError: The build has begun already.
        """
        if self.layers or self._prepared:
            raise ValueError("the steps of a layer can be recorded only before the first build")
        self._begin()
        for part in self.source.graph.ordered():
            if part == BuildPart("layer", name):
                break
            self._make(part)
        self._before_layer(name)
        # Not a stage: stored results have no steps.
        with self.stages.track(f"layer {name}"):
            layer = layer_steps.make_layer(name, Inputs(self.source), trace)
        edited, _ = self.edits.of_layer(self.stages, layer, None)
        if edited is not layer:
            trace.frame("hand edits", edited.cells, edited.tiles)
        return with_connections(edited)

    def _begin(self) -> None:
        """Check the size and the input files, and find the seed.

        Raises:
            SpecError: The level is too large to be built at once, a file is missing, or no seed
                fits.
        """
        check_at_once(self.spec)
        self.edits.record_file()
        missing = file_problems(self.spec, self.files)
        if missing:
            raise SpecError(missing)
        self.find_seed()

    def _make(self, part: BuildPart) -> None:
        """Build one layer or group of objects, or place the mission.

        Raises:
            SpecError: The step is impossible as specified, or a layer does not meet its
                requirements.
        """
        if part.kind == "layer":
            self._make_layer(str(part.key))
        elif part.kind == "objects":
            self._place_group(int(part.key))
        elif part.kind == "mission":
            self._place_mission()

    def _before_layer(self, name: str) -> None:
        self._check_object_names(("layers", name), self.spec.layers[name].parameters)
        self.before_step(f"layer {name!r}", ("layers", name))

    def _make_layer(self, name: str) -> None:
        self._before_layer(name)
        entry = GENERATORS.get(self.spec.layers[name].generator)
        stage = Stage(
            ("layer", entry.name, str(entry.version), name),
            partial(layer_steps.make_layer, name),
            results.encode_layer,
            results.decode_layer,
            f"layer {name}",
        )
        result, key = self.edits.of_layer(self.stages, *self.stages.run(stage))
        # Find connections between rooms only now, when the cells include hand edits.
        self.layers[name] = with_connections(self._with_role(result))
        if result.objects:
            self._add_objects(result)
        # The stage's own key includes neither role nor display, so a change of these reuses it.
        layer = self.layers[name]
        if key is not None:
            key = stage_key(key, layer.role, repr(layer.display))
        self.source.layer_keys[name] = key
        self._checks.check_layer(self.layers[name], self.spec.layers[name])

    def _add_objects(self, layer: Layer) -> None:
        """Add the objects that `layer` contains, such as those of its stamps.

        Raises:
            SpecError: The layer has another size than the level.
        """
        copied = copied_layers(self.spec.layers)
        if not layer.grid_aligned and layer.name not in copied:
            raise self.spec.error(("layers", layer.name, "size"), OTHER_GRID)
        self.groups.stand(
            self.layers[name]
            for name in self.spec.layers
            if name in self.layers and name not in copied
        )

    def _place_mission(self) -> None:
        from exporter.build.missions import placing_stage

        self.before_step("the mission", ("mission",))
        self._layers_before_mission = frozenset(self.layers)
        placed, _ = self.stages.run(placing_stage())
        self.source.mission_locks = placed.locks
        self.groups.stand_for_mission(placed.objects)

    def _prove_mission(self) -> None:
        """Prove that no order of opening locks makes the goal unreachable.

        Raises:
            SpecError: Such an order exists. The error points at the hand edit that causes this, if
                one does.
        """
        from exporter.build.missions import blamed_edit, proof_stage

        self.before_step("the proof of the mission", ("mission",))
        try:
            proven, _ = self.stages.run(proof_stage())
        except SpecError:
            layers = {name: self.layers[name] for name in self.source.play_layers()}
            # Where locks go depends on the edits of all other layers.
            later = {
                name: layer
                for name, layer in self.edits.generated.items()
                if name in layers and name not in self._layers_before_mission
            }
            locks = self.source.mission_locks
            blamed = blamed_edit(self.spec, self.groups, layers, later, locks)
            if blamed is not None:
                raise blamed from None
            raise
        self.source.mission = proven

    def _place_group(self, index: int) -> None:
        self._check_object_names(("objects", index), self.spec.objects[index])
        name, number = self.groups.begin(index)
        self.before_step(f"objects {name!r}", ("objects", index))
        stage = Stage(
            ("objects", name, str(number)),
            partial(object_steps.place_group, index, name, number),
            results.encode_places,
            results.decode_places,
        )
        self.groups.finish(index, *self.stages.run(stage))

    def _check_object_names(self, path: ValuePath, parameters: Parameters) -> None:
        """Raise an error if `parameters`, at `path`, name an unknown object.

        Most unknown names were refused when the spec was read; but only now are the names known
        that layers read from files.

        Raises:
            SpecError: Neither the spec nor a layer has objects of that name.
        """
        known = self.groups.names
        for reference in references(parameters):
            if reference.rule.to == "object" and reference.name not in known:
                message = unknown_name("object", reference.name, sorted(known))
                raise self.spec.error((*path, *reference.path), message)

    def _with_role(self, layer: Layer) -> Layer:
        """Return `layer` with the role and display that its spec asks for.

        The role says what a layer is for, such as `play`.

        Raises:
            SpecError: The layer cannot have this role, because of its kind or size.
        """
        written = self.spec.layers[layer.name].options.role
        size = None if layer.grid_aligned else (layer.width, layer.height)
        message = role_problem(written, heights=layer.kind == "heights", other_size=size)
        if message:
            raise self.spec.error(("layers", layer.name, "role"), message)
        role = finished_role(layer, self._roles[layer.name])
        display = self.spec.layers[layer.name].options.display()
        if (layer.role, layer.display) == (role, display):
            return layer
        return replace(layer, role=role, display=display)

    def _make_puzzles(self) -> None:
        if not self.spec.puzzles:
            return
        from exporter.puzzles import PUZZLES

        for name, puzzle in self.spec.puzzles.items():
            self.before_step(f"puzzle {name!r}", ("puzzles", name))
            kind = PUZZLES.get(puzzle.kind)
            stage = Stage(
                ("puzzle", kind.name, str(kind.version), name),
                partial(level_steps.make_puzzle, name),
                results.encode_puzzle,
                results.decode_puzzle,
                f"puzzle {name}",
            )
            result, key = self.stages.run(stage)
            self.source.puzzles[name], self.source.puzzle_keys[name] = result, key
