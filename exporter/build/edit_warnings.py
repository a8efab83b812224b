"""Warn about hand edits that do not fit, with their line in the file.

If many edits of a layer fail for the same reason, one warning names the first few and the number;
`exporter edits show` lists all, and `exporter preview --overlay edits` shows them on the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from exporter.model.errors import Problem
from exporter.model.hand_edits import EditConflict, edit_value_text
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer
from exporter.model.suggestions import did_you_mean, suggestions, unknown_name
from exporter.reading.edits import CellEdit, LevelEdits, ObjectEdit

# Number of edits that are named in one warning.
NAMED = 3
# Messages about the edits of a layer, by kind of conflict.
_WORDS = {
    "conflict": "the generated level has changed below",
    "outside": "outside the layer of {width} x {height} cells",
    "unknown": "of tiles that the layer does not have",
}
_WAYS_OUT = {
    "conflict": (
        "they stay as edited; `exporter edits take --accept` keeps them so without a warning, "
        "`exporter edits drop --level {level} --conflicts` removes them"
    ),
    "outside": (
        "they wait in the file; make the level larger, or remove them "
        "(`exporter edits drop --level {level} --cell X,Y`)"
    ),
    "unknown": (
        "they wait in the file; correct the names, or remove them "
        "(`exporter edits drop --level {level} --cell X,Y`)"
    ),
}


@dataclass(frozen=True, slots=True)
class EditConflicts:
    """The hand edits of a level that do not fit the generated level.

    Attributes:
        layers: The conflicting edits of cells, by the name of their layer.
        objects: The conflicting edits of objects.
    """

    layers: Mapping[str, Sequence[EditConflict]]
    objects: Sequence[EditConflict]


def edit_warnings(
    level: str,
    edits: LevelEdits,
    conflicts: EditConflicts,
    layers: Mapping[str, Layer],
    objects: Iterable[str],
) -> list[Problem]:
    """Return a warning, with its line, for each hand edit that does not fit.

    Args:
        level: The level's name.
        edits: All hand edits of the level.
        conflicts: The hand edits among `edits` that do not fit.
        layers: The finished layers by name.
        objects: The names of the objects of the spec, to suggest for a misspelled one.
    """
    warnings: list[Problem] = []
    for name, layer_edits in edits.layers.items():
        if name in layers:
            result = conflicts.layers.get(name, ())
            warnings += _of_layer(level, edits, layers[name], layer_edits, result)
        elif layer_edits:
            known = suggestions(name, list(layers))
            hint = f"{did_you_mean(known)} rename it here" if known else "rename it here"
            text = (
                f"there is no layer {name!r}: its {_edits(len(layer_edits))} in the file "
                f"({hint}, or `exporter edits drop --level {level} --layer {name}`)"
            )
            warnings.append(edits.warning(("layers", name), text))
    names = list(dict.fromkeys(objects))
    return [*warnings, *_of_objects(level, edits, conflicts.objects, names)]


def _of_layer(
    level: str,
    edits: LevelEdits,
    layer: Layer,
    cells: Sequence[CellEdit],
    conflicts: Sequence[EditConflict],
) -> Iterable[Problem]:
    for kind, words in _WORDS.items():
        result = [item for item in conflicts if item.kind == kind]
        if not result:
            continue
        named = "; ".join(_named(cells[item.index], item) for item in result[:NAMED])
        more = f"; and {len(result) - NAMED} more" if len(result) > NAMED else ""
        what = words.format(width=layer.width, height=layer.height)
        count = "1 edit is" if len(result) == 1 else f"{len(result)} edits are"
        if kind == "conflict":
            count = "1 edit" if len(result) == 1 else f"{len(result)} edits"
        way_out = _WAYS_OUT[kind].format(level=level)
        text = f"layer {layer.name!r}: {what} {count}: {named}{more} ({way_out})"
        if kind != "conflict":
            tiles = ", ".join(tile.name for tile in layer.tiles) or "height samples"
            known = f"; it has: {tiles}" if kind == "unknown" else ""
            text = f"layer {layer.name!r}: {count} {what}: {named}{more}{known} ({way_out})"
        yield edits.warning(("layers", layer.name, result[0].index), text)


def _named(edit: CellEdit, conflict: EditConflict) -> str:
    position = f"[{edit.at[0]}, {edit.at[1]}]"
    if conflict.kind == "conflict":
        return (
            f"{position} was {edit_value_text(edit.was)}, is {edit_value_text(conflict.actual)} "
            "now, "
            f"edited to {edit_value_text(edit.now)}"
        )
    return f"{position} {edit_value_text(edit.now)}" if conflict.kind == "unknown" else position


def _edits(count: int) -> str:
    return "1 edit waits" if count == 1 else f"{count} edits wait"


def _of_objects(
    level: str, edits: LevelEdits, conflicts: Sequence[EditConflict], names: Sequence[str]
) -> Iterable[Problem]:
    for conflict in conflicts:
        edit = edits.objects[conflict.index]
        yield edits.warning(("objects", conflict.index), _object_text(level, edit, conflict, names))
    for index, edit in enumerate(edits.objects):
        near = suggestions(edit.name, names) if edit.add and edit.name not in names else []
        if near:
            text = f"no object of the spec is called {edit.name!r} ({did_you_mean(near)})"
            yield edits.warning(("objects", index), f"{text}: it is added without properties")


def _object_text(level: str, edit: ObjectEdit, conflict: EditConflict, names: Sequence[str]) -> str:
    which = f"{edit.name} {edit.ordinal}" if edit.ordinal is not None else edit.name
    if conflict.kind == "outside":
        return (
            f"{edit_value_text(edit.add or edit.now)} is outside the level: the edit of {which} "
            "waits in the file (make the level larger, or remove the edit)"
        )
    if conflict.kind == "gone":
        if edit.name not in names:
            return f"{unknown_name('object', edit.name, names)}: the edit waits in the file"
        return (
            f"there is no {which} to {'remove' if edit.remove else 'move'}: the edit waits in the "
            "file (raise `count`, or remove the edit)"
        )
    way_out = _WAYS_OUT["conflict"]
    done = "it is removed" if edit.remove else f"it is moved to {edit_value_text(edit.now)}"
    return (
        f"{which} was at {edit_value_text(edit.was)}, is placed at "
        f"{edit_value_text(conflict.actual)} now, and {done} "
        f"({way_out.replace('they stay', 'it stays').replace('them', 'it').format(level=level)})"
    )
