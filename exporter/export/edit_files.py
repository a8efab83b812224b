"""Import or write hand edits from Python: `take_edits`, `write_edits`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from exporter.export.import_edits import (
    ImportedEdits,
    ImportOptions,
    import_painted,
    write_edits_file,
)
from exporter.project.project import display_path, find_project
from exporter.reading.edit_text import with_edits_changed
from exporter.reading.edits import CellEdit, ObjectEdit
from exporter.reading.names import edits_file
from exporter.reading.reader import read_edits


def take_edits(
    project: str | Path, *, levels: Sequence[str] = (), whole: bool = False, accept: bool = False
) -> list[ImportedEdits]:
    """Import cells that were painted on exported maps as hand edits.

    This works like `exporter edits take`. The next export rewrites the maps.

    Args:
        project: The folder with exporter.yaml, or one below it.
        levels: Globs of the names of levels; empty for all.
        whole: Whether to compare the maps with the level as generated now, not with the maps as
            exported.
        accept: Whether to adapt earlier edits that conflict with the level as generated now, so
            that they apply again.

    Returns:
        The imported edits of each level with a painted map.

    Raises:
        SpecError: exporter.yaml is wrong, or missing.
        StoreError: A file cannot be written.
    """
    root = find_project(Path(project))
    return import_painted(root, ImportOptions(tuple(levels), whole, accept))


def write_edits(
    spec: str | Path,
    layers: Mapping[str, Sequence[CellEdit]] | None = None,
    objects: Sequence[ObjectEdit] = (),
) -> Path:
    """Write the edits file of `spec`, with these edits and no others.

    Unchanged entries and comments keep their text; a file without edits and comments is removed.

    Args:
        spec: The path of the spec.
        layers: All edits of cells, by the names of layers.
        objects: All edits of objects.

    Returns:
        The path of the edits file.

    Raises:
        SpecError: The present edits file has faults, or cannot be changed in place.
        StoreError: The edits file cannot be written.
    """
    position = Path(spec)
    file = position.parent / edits_file(position.name)
    before = read_edits(position)
    text = with_edits_changed(before, display_path(file), layers or {}, objects)
    write_edits_file(file, before, text)
    return file
