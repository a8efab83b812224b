"""Rewrites specs from former names to present ones: text in, text out.

Only the words and numbers that changed are replaced, each at its place; comments, order, quotes,
line ends and style stay. What was rewritten is read again and compared with what was meant, so a
text that cannot be rewritten this way is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from exporter.generators import GENERATORS
from exporter.model.errors import Problem, RegistryError, SpecError
from exporter.model.registry import Registry
from exporter.reading.changes import Change as TextChange
from exporter.reading.changes import Insert, Refused, Rename, SetValue
from exporter.reading.document import Document, Path, read_document
from exporter.reading.former import Change, former_changes
from exporter.reading.level_spec import LayerOptions, LevelDocument
from exporter.reading.spec_changes import changed_spec

# Begins the names of keys while their own name passes to another key.
_WAITING = "former_"


class Rewritten(NamedTuple):
    """One change, for people: its line from 1, the text before (empty if added) and after."""

    line: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Migration:
    """A rewritten spec: its bytes, every change in the order of the file, what was left out."""

    content: bytes
    changes: tuple[Rewritten, ...]
    warnings: tuple[Problem, ...] = ()


def migrate(content: bytes, file: str) -> Migration:
    """Rewrite the bytes of a level spec (YAML or JSON) to the present names.

    Nothing else is checked: a spec may still be wrong in other ways.

    Args:
        content: The file.
        file: Its name for messages.

    Raises:
        SpecError: It cannot be read, names something in both ways, or is written in a way that
            cannot be rewritten in place.
    """
    document = read_document(content, file)
    if document.problems:
        raise SpecError(document.problems)
    if not isinstance(document.data, dict):
        raise SpecError([document.problem((), "this is not a level spec (a spec has keys)")])
    warnings = tuple(_unknown(document))
    changes = _in_order(document, level_changes(document.data))
    conflicts = [
        document.problem(change.path, change.problem, at_key=True)
        for change in changes
        if change.conflict
    ]
    if conflicts:
        raise SpecError(conflicts)
    if not changes:
        return Migration(content, (), warnings)
    result = changed_spec(content, file, list(_steps(document, changes)))
    meant = _meant(document.data, {one.path: one for one in changes})
    if isinstance(result, Refused) or not _is_meant(result.after, meant):
        message = "this cannot be rewritten in place (write it on a line of its own, `key: value`)"
        raise SpecError([document.problem(changes[0].path, message, at_key=True)])
    rewritings = tuple(line for change in changes for line in _rewritings(document, change))
    return Migration(result.after, rewritings, warnings)


def level_changes(data: Any) -> Iterator[Change]:
    """Yield every former name and value in a level spec.

    A layer whose generator is not known here is left as it is.
    """
    from exporter.model.tileset import TilesetOptions
    from exporter.placement.parameters import ObjectParameters
    from exporter.puzzles import PUZZLES
    from exporter.tables.table import TableParameters

    if not isinstance(data, dict):
        return
    yield from former_changes(LevelDocument, data)
    for path, layer in _entries(data, "layers"):
        yield from former_changes(LayerOptions, layer, path)
        yield from _registered_changes(GENERATORS, layer, "generator", path)
    for path, thing in _entries(data, "objects"):
        yield from former_changes(ObjectParameters, thing, path)
    for path, table in _entries(data, "tables"):
        yield from former_changes(TableParameters, table, path)
    for path, puzzle in _entries(data, "puzzles"):
        yield from _registered_changes(PUZZLES, puzzle, "kind", path)
    yield from former_changes(TilesetOptions, data.get("tileset"), ("tileset",))


def _entries(data: dict[str, Any], key: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the mappings in a list or mapping of the spec, with their paths."""
    inside = data.get(key)
    numbered = enumerate(inside) if isinstance(inside, list) else ()
    named = inside.items() if isinstance(inside, dict) else ()
    for name, value in (*numbered, *named):
        if isinstance(value, dict):
            yield (key, name), value


def _registered_changes(
    registry: Registry[Any], data: dict[str, Any], key: str, path: Path
) -> Iterator[Change]:
    name = data.get(key)
    if not isinstance(name, str):
        return
    try:
        kind = registry.get(name).parameters
    except RegistryError:
        return
    yield from former_changes(kind, data, path)


def _unknown(document: Document) -> Iterator[Problem]:
    """Yield a warning for each layer and puzzle whose kind is not known here."""
    from exporter.puzzles import PUZZLES

    for kinds, key, where in ((GENERATORS, "generator", "layers"), (PUZZLES, "kind", "puzzles")):
        registry: Registry[Any] = kinds
        for path, data in _entries(document.data, where):
            name = data.get(key)
            if not isinstance(name, str):
                continue
            try:
                registry.get(name)
            except RegistryError as error:
                message = f"{error}: nothing is rewritten here"
                yield replace(document.problem((*path, key), message), severity="warning")


def _in_order(document: Document, changes: Iterable[Change]) -> list[Change]:
    return sorted(changes, key=lambda change: document.keys[change.path].start)


def _meant(data: Any, changes: dict[Path, Change], path: Path = ()) -> Any:
    """Return the data that the rewritten text must hold."""
    if isinstance(data, list):
        return [_meant(item, changes, (*path, index)) for index, item in enumerate(data)]
    if not isinstance(data, dict):
        return data
    meant: dict[str, Any] = {}
    for key, value in data.items():
        change = changes.get((*path, key))
        if change is None:
            meant[key] = _meant(value, changes, (*path, key))
            continue
        kept = change.value == value
        meant[change.key] = _meant(value, changes, (*path, key)) if kept else change.value
        if change.added is not None:
            meant[change.added[0]] = change.added[1]
    return meant


def _is_meant(content: bytes, meant: Any) -> bool:
    """Return whether a text holds exactly this data, in this order, and no former name."""
    try:
        document = read_document(content, "")
    except SpecError:
        return False
    if document.problems or any(True for _ in level_changes(document.data)):
        return False
    return json.dumps(document.data) == json.dumps(meant)


def _steps(document: Document, changes: Sequence[Change]) -> Iterator[TextChange]:
    """Yield the changes of the text that make all changes of names and limits."""
    renamed: list[Rename] = []
    # The last one first, so that none changes the place of one that is still to come.
    for change in reversed(changes):
        path, key = change.path, str(change.path[-1])
        yield SetValue(path, change.value)
        if change.added is not None:
            keys = list(document.get(path[:-1]))
            yield Insert((*path[:-1], change.added[0]), change.added[1], keys.index(key) + 1)
        if change.key == key:
            continue
        # A name can pass from one key to another: such a key waits under a name nobody has.
        waiting = _WAITING + key
        yield Rename(path, waiting)
        renamed.append(Rename((*path[:-1], waiting), change.key))
    yield from renamed


def _rewritings(document: Document, change: Change) -> Iterator[Rewritten]:
    line = document.keys[change.path].line + 1
    old, value = str(change.path[-1]), document.get(change.path)
    if change.value == value:
        yield Rewritten(line, old, change.key)
    else:
        before, after = json.dumps(value), json.dumps(change.value)
        yield Rewritten(line, f"{old}: {before}", f"{change.key}: {after}")
    if change.added is not None:
        key, added = change.added
        yield Rewritten(line, "", f"{key}: {json.dumps(added)}")
