"""Apply hand edits to generated layers, each layer in a stage of its own.

A hand edit is a change by a person to a cell or object of a generated level. After a changed edit
the layer is not generated again: a stage reads the generated layer and its edits, and returns the
layer that the rest of the build uses.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from exporter.build import results
from exporter.build.stages import Stage, Stages
from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.model.keys import content_key
from exporter.reading.names import edits_file

if TYPE_CHECKING:
    from exporter.build.edit_warnings import EditConflicts
    from exporter.build.edits import EditedLayer
    from exporter.build.files import InputFiles
    from exporter.build.inputs import Inputs
    from exporter.model.hand_edits import EditConflict
    from exporter.model.level import Layer
    from exporter.reading.edits import CellEdit, ObjectEdit
    from exporter.reading.level_spec import LevelSpec


class HandEdits:
    """Applies the hand edits of one level, and keeps the layers without them.

    Args:
        spec: The spec, with its edits if it has any.
        files: The level's input files, to which the edits file is added.

    Attributes:
        cells: The edits of cells, by the name of their layer.
        objects: The edits of objects.
        generated: The edited layers as they were generated, by name.
        generated_keys: The cache keys of `generated`; None for a layer without a key.
    """

    def __init__(self, spec: LevelSpec, files: InputFiles) -> None:
        self._spec = spec
        self._files = files
        edits = spec.edits
        layers = edits.layers if edits is not None else {}
        self.cells: dict[str, tuple[CellEdit, ...]] = {
            n: item for n, item in layers.items() if item
        }
        self.objects: tuple[ObjectEdit, ...] = edits.objects if edits is not None else ()
        self.generated: dict[str, Layer] = {}
        self.generated_keys: dict[str, str | None] = {}
        self._conflicts: dict[str, tuple[EditConflict, ...]] = {}

    def record_file(self) -> None:
        """Record that the level depends on its edits file.

        Raises:
            SpecError: The edits file is outside the project.
        """
        edits = self._spec.edits
        if edits is None or self._files.folder is None:
            return
        name = edits_file(self._spec.document.file).rpartition("/")[2]
        try:
            self._files.record_read(name, edits.digest)
        except ParameterError as error:
            raise SpecError([Problem(error.message, edits.document.file)]) from None

    def of_layer(self, stages: Stages, layer: Layer, key: str | None) -> tuple[Layer, str | None]:
        """Return `layer` with its hand edits applied, and its new cache key.

        `stages` runs the stage that applies them. `key` is the cache key of the generated layer; if
        it is None, so is the new one.
        """
        name = layer.name
        if name not in self.cells:
            return layer, key
        self.generated[name], self.generated_keys[name] = layer, key
        stage = Stage(
            ("edits", name),
            partial(_edit_layer, name),
            _encode_layer,
            _decode_layer,
            f"edits of {name}",
        )
        edited, edited_key = stages.run(stage)
        self._conflicts[name] = edited.conflicts
        return edited.layer, edited_key

    def cells_key(self, layer: str) -> str:
        """Return a hash of the hand edits of `layer`, for cache keys.

        The layer must have edits.
        """
        from exporter.build.edits import edits_key

        return content_key(edits_key(self.cells[layer]).encode())

    def conflicts(self, objects: Sequence[EditConflict]) -> EditConflicts:
        """Return the hand edits that do not fit the level as generated.

        `objects` are the edits of objects that do not fit; those of cells are known after
        `of_layer`.
        """
        from exporter.build.edit_warnings import EditConflicts

        return EditConflicts(self._conflicts, objects)

    def marked(
        self, layers: Sequence[str], objects: Sequence[EditConflict]
    ) -> dict[tuple[int, int], str]:
        """Return `edit` or `conflict` for each hand-edited cell, by (x, y).

        `conflict` means that the generated level has changed below the edit. Edits that cannot be
        applied are left out. `layers` are the names of the layers whose edits to return, all of the
        level's size; `objects` are the edits of objects that do not fit.
        """
        result: dict[tuple[int, int], str] = {}
        width, height = self._spec.size
        for name in layers:
            kinds = {item.index: item.kind for item in self._conflicts.get(name, ())}
            for index, edit in enumerate(self.cells.get(name, ())):
                _mark(result, edit.at, kinds.get(index))
        kinds = {item.index: item.kind for item in objects}
        for index, thing in enumerate(self.objects):
            at = thing.add or thing.now or thing.was
            if at is not None and at[0] < width and at[1] < height:
                _mark(result, at, kinds.get(index))
        return result

    def warnings(
        self, layers: Mapping[str, Layer], objects: Sequence[EditConflict]
    ) -> list[Problem]:
        """Return a warning, with its line, for each hand edit that does not fit.

        `layers` are the finished layers by name, `objects` the edits of objects that do not fit.
        """
        if self._spec.edits is None:
            return []
        from exporter.build.edit_warnings import edit_warnings

        names = [item.name for item in self._spec.objects]
        if self._spec.mission is not None:
            names += self._spec.mission.object_names()
        return edit_warnings(
            self._spec.level, self._spec.edits, self.conflicts(objects), layers, names
        )


def _mark(result: dict[tuple[int, int], str], at: tuple[int, int], kind: str | None) -> None:
    """Mark the cell `at` in `result` as `edit` or `conflict`.

    A `conflict` replaces an `edit`. `kind` is the kind of conflict; None for an edit that fits.
    Edits of other kinds are not applied, so they are not marked.
    """
    if kind == "conflict" or (kind is None and result.get(at) != "conflict"):
        result[at] = kind or "edit"


def _edit_layer(name: str, inputs: Inputs) -> EditedLayer:
    from exporter.build.edits import edit_layer

    parameters = inputs.spec("layers", name, "parameters")
    return edit_layer(inputs.generated_layer(name), inputs.cell_edits(name), parameters)


def _encode_layer(edited: EditedLayer) -> bytes | None:
    layer = results.encode_layer(edited.layer)
    return None if layer is None else _encoded(edited.conflicts) + layer


def _decode_layer(data: bytes) -> EditedLayer:
    from exporter.build.edits import EditedLayer

    line, _, rest = data.partition(b"\n")
    return EditedLayer(results.decode_layer(rest), _decoded(line))


def _encoded(conflicts: tuple[EditConflict, ...]) -> bytes:
    rows = [[item.index, item.kind, item.actual] for item in conflicts]
    return json.dumps(rows, separators=(",", ":")).encode() + b"\n"


def _decoded(line: bytes) -> tuple[EditConflict, ...]:
    from exporter.model.hand_edits import EditConflict

    return tuple(
        EditConflict(index, kind, tuple(result) if isinstance(result, list) else result)
        for index, kind, result in json.loads(line)
    )
