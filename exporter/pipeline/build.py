"""One build: a checked spec becomes a level, step by step, and whatever is unchanged is remembered.

Everything here is pure but for the files a spec names. The order: layers as in the spec, objects,
then the layers that are derived from sight or objects, puzzles; the field of view and the tileset
are made when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.generators import GENERATORS
from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.model.keys import stage_key, value_key
from exporter.model.level import Layer, Level, PlacedObject, Puzzle
from exporter.pipeline import results, steps
from exporter.pipeline.files import InputFiles
from exporter.pipeline.foreseen import file_problems
from exporter.pipeline.inputs import Inputs, Question
from exporter.pipeline.requirements import broken_limits
from exporter.pipeline.shortfalls import ObjectCount, object_counts, shortfalls
from exporter.pipeline.stages import Stage, StageCache, Stages, Track, untracked
from exporter.reading.document import Path as ValuePath
from exporter.reading.level_spec import LevelSpec, Requirements
from exporter.reading.references import NO_SIGHT_LAYER, NO_WALKABLE_CELLS, late_layers
from exporter.reading.roles import finished_role, layer_roles, role_problem

if TYPE_CHECKING:
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

    Attributes:
        stages: Runs the stages, or remembers them.
        files: The input files, with the hashes of those that were read.
        layers: The finished layers, in the order of the spec once all are there.
    """

    def __init__(
        self,
        spec: LevelSpec,
        root: Path | None = None,
        cache: StageCache | None = None,
        identity: str = "",
        before_step: Callable[[str, ValuePath], None] = _pass_over,
        track: Track = untracked,
    ) -> None:
        self.spec = spec
        self.before_step = before_step
        self.files = InputFiles(root if root is not None else spec.folder, spec.folder)
        self.stages = Stages(self, cache, identity, track)
        self.layers: dict[str, Layer] = {}
        self._layer_keys: dict[str, str | None] = {}
        self._objects: tuple[PlacedObject, ...] = ()
        self._objects_key: str | None = ABSENT
        self._puzzles: dict[str, Puzzle] = {}
        self._puzzle_keys: dict[str, str | None] = {}
        self._table: VisibilityTable | None = None
        self._level: tuple[Level, tuple[Question, ...]] | None = None
        self._late = late_layers(spec.layers)
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
        missing = file_problems(self.spec, self.files)
        if missing:
            raise SpecError(missing)
        self._make_layers(late=False)
        self._place_objects()
        self._make_layers(late=True)
        self.layers = {name: self.layers[name] for name in self.spec.layers}
        self._check_level_requirements()
        self._make_puzzles()
        if self.spec.visibility is not None:
            self._sight_layer()
        steps.request_tileset(Inputs(self))
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

    def shortfalls(self) -> list[Problem]:
        """Return a warning for all that is less than the spec asks for; after `prepare`."""
        return shortfalls(self.spec, self.layers, self._objects)

    def object_counts(self) -> dict[str, ObjectCount]:
        """Return how many objects of each name were asked for and placed; after `prepare`."""
        return object_counts(self.spec, self._objects)

    def _make_layers(self, *, late: bool) -> None:
        for name, layer in self.spec.layers.items():
            if (name in self._late) != late:
                continue
            self.before_step(f"layer {name!r}", ("layers", name))
            entry = GENERATORS.get(layer.generator)
            stage = Stage(
                ("layer", entry.name, str(entry.version), name),
                partial(steps.make_layer, name),
                results.encode_layer,
                results.decode_layer,
                f"layer {name}",
            )
            made, key = self.stages.run(stage)
            self.layers[name] = self._with_role(made)
            # A role is no part of the stage: writing another one makes no layer anew.
            role = self.layers[name].role
            self._layer_keys[name] = None if key is None else stage_key(key, role)
            if layer.options.require is not None:
                path = ("layers", name, "require")
                self._check_requirements(self.layers[name], layer.options.require, path)

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
        return replace(layer, role=finished_role(layer, self._roles[layer.name]))

    def _place_objects(self) -> None:
        if not self.spec.objects:
            return
        self.before_step("the objects", ("objects",))
        stage = Stage(
            ("objects",), steps.place_objects, results.encode_objects, results.decode_objects
        )
        self._objects, self._objects_key = self.stages.run(stage)

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
        require = self.spec.require
        if require is None:
            return
        self.before_step("the walkable cells", ("require",))
        stage = Stage(
            ("walkable cells",),
            steps.certify_level,
            results.encode_certificate,
            results.decode_certificate,
        )
        certificate, _ = self.stages.run(stage)
        if certificate is None:
            raise self.spec.error(("require",), NO_WALKABLE_CELLS)
        lacking = [name for name in self._play_layers() if not self.layers[name].complete]
        broken = broken_limits(certificate, not lacking, require)
        playing = self._play_layers()
        if len(playing) == 1:
            what = f"layer {playing[0]!r}"
        else:
            # Layers that were meant for something else may be among them.
            what = f"the `play` layers {', '.join(playing)} together"
            if lacking and "complete" in broken:
                broken["complete"] += f" in {', '.join(lacking)}"
        self._report_broken(what, broken, ("require",))

    def _check_requirements(self, layer: Layer, require: Requirements, path: ValuePath) -> None:
        broken = broken_limits(layer.certificate, layer.complete, require)
        self._report_broken(f"layer {layer.name!r}", broken, path)

    def _report_broken(self, what: str, broken: Mapping[str, str], path: ValuePath) -> None:
        if broken:
            problems: list[Problem] = [
                self.spec.problem((*path, key), f"{what}: {message}")
                for key, message in broken.items()
            ]
            raise SpecError(problems)

    # --- answers to what stages ask -----------------------------------------------------------

    def answer(self, question: Question) -> Any:
        """Return what a stage asked for; see `exporter.pipeline.inputs.Source`."""
        kind, *names = question
        return self._answers()[str(kind)](*names)

    def key(self, question: Question) -> str | None:
        """Return the hash of an answer; see `exporter.pipeline.inputs.Source`."""
        kind, *names = question
        try:
            return self._keys()[str(kind)](*names)
        except (KeyError, IndexError, AttributeError):
            return ABSENT
        except (SpecError, ParameterError):
            return UNREADABLE

    def depend(self, questions: Iterable[Question]) -> None:
        """Note that the level depends on these answers; see `exporter.pipeline.inputs.Source`."""
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
        """Word a problem at a place of the spec; see `exporter.pipeline.inputs.Source`."""
        place = (*path, *inside)
        # The seed and the size of a layer mostly stand at the top of the spec.
        if inside and inside[0] in ("seed", "size") and self.spec.document.get(place) is None:
            place = inside
        return self.spec.error(place, message)

    def _answers(self) -> dict[str, Callable[..., Any]]:
        """How each kind of question is answered."""
        return {
            "spec": self._spec_value,
            "layer": self.layers.__getitem__,
            "layer names": lambda: tuple(self.layers),
            "play layers": self._play_layers,
            "layers": lambda: dict(self.layers),
            "objects": lambda: self._objects,
            "puzzles": lambda: dict(self._puzzles),
            "sight layer": self._sight_layer,
            "visibility": self._visibility,
            "tileset": self._tileset,
            "file": self.files.read,
            "game file": self._game_file,
            "missing file": self.files.expect,
        }

    def _keys(self) -> dict[str, Callable[..., str | None]]:
        """How the key of each kind of answer is found, without computing what is costly."""
        return {
            "spec": lambda *path: value_key(self._spec_value(*path)),
            "layer": self._layer_keys.__getitem__,
            "layer names": lambda: value_key(tuple(self.layers)),
            "play layers": lambda: value_key(self._play_layers()),
            "layers": lambda: _joined(self._layer_keys, self.layers),
            "objects": lambda: self._objects_key,
            "puzzles": lambda: _joined(self._puzzle_keys, self._puzzles),
            "sight layer": lambda: value_key(self._sight_layer()),
            "visibility": lambda: self._request_key(steps.request_sight),
            "tileset": lambda: self._request_key(steps.request_tileset),
            "file": self.files.key,
            "game file": lambda game, name: self.files.key(name, game),
            "missing file": lambda place: ABSENT,
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

    def _play_layers(self) -> tuple[str, ...]:
        return tuple(name for name, layer in self.layers.items() if layer.role == "play")

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
        able = [name for name in self._play_layers() if name not in self._late]
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


def _joined(keys: dict[str, str | None], names: dict[str, Any]) -> str | None:
    """Return one key for several named results, in their order."""
    parts: list[str] = []
    for name in names:
        key = keys[name]
        if key is None:
            return None
        parts += [name, key]
    return stage_key(*parts)
