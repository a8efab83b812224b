"""Merge cells painted on exported maps into a level's hand edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.reading.edits import CellEdit, ObjectEdit
from exporter.store.commit_plan import File

if TYPE_CHECKING:
    from exporter.build.build import Build
    from exporter.formats.tiled.painted import PaintedCell
    from exporter.formats.tiled.painted_map import MapTileset, PaintedMap


class EditMerge:
    """Merges painted maps into the hand edits of one level.

    Attributes:
        build: The build of the level as generated now.
        layer_edits: The edits of cells so far, by the names of layers.
        object_edits: The edits of objects so far.
        digests: The hashes of maps whose changes were all imported, by path.
    """

    def __init__(self, build: Build) -> None:
        self.build = build
        edits = build.spec.edits
        self.layer_edits: dict[str, tuple[CellEdit, ...]] = dict(edits.layers if edits else {})
        self.object_edits: tuple[ObjectEdit, ...] = edits.objects if edits else ()
        self.digests: dict[str, str] = {}
        self.painted_cells = 0
        self.painted_objects = 0
        self.accepted = 0

    def accept(self) -> None:
        """Adapt edits that conflict with the level as generated now.

        They set the same tiles and objects as before, and apply again.
        """
        from exporter.build.painted_edits import accepted_cells, accepted_objects

        all_conflicts = self.build.edit_conflicts()
        for name, conflicts in all_conflicts.layers.items():
            self.layer_edits[name] = accepted_cells(self.layer_edits[name], conflicts)
        self.object_edits = accepted_objects(self.object_edits, all_conflicts.objects)
        result = [item for conflicts in all_conflicts.layers.values() for item in conflicts]
        self.accepted = sum(item.kind == "conflict" for item in (*result, *all_conflicts.objects))

    def cells(self, painted: Mapping[str, Sequence[PaintedCell]], *, same: bool) -> list[str]:
        """Add painted cells to the edits; return messages about unknown tiles.

        `painted` has the cells by the name of their layer. `same` is whether the painted map,
        before it was painted, showed the level as generated now.
        """
        from exporter.build.painted_edits import Stroke, merged_cells

        dropped = []
        for name, cells in painted.items():
            layer = self.build.layers[name]
            known = {tile.name for tile in layer.tiles}
            strange = [cell for cell in cells if cell.now is not None and cell.now not in known]
            if strange:
                first = strange[0]
                dropped.append(
                    f"{len(strange)} cells of the layer {name!r} have tiles of other layers, as "
                    f"{first.now} in [{first.x}, {first.y}] "
                    f"(the layer has: {', '.join(sorted(known))})"
                )
            fitting = [
                Stroke((cell.x, cell.y), cell.before, cell.now)
                for cell in cells
                if cell.now is None or cell.now in known
            ]
            generated = self.build.edits.generated.get(name, layer)
            old = self.layer_edits.get(name, ())
            self.layer_edits[name] = merged_cells(generated, old, fitting, same=same)
            self.painted_cells += len(fitting)
        return dropped

    def objects(
        self,
        things: Sequence[tuple[int, str]],
        moved: Mapping[int, tuple[int, int]],
        removed: Sequence[int],
        added: Sequence[tuple[str, tuple[int, int]]],
    ) -> tuple[str, ...]:
        """Add objects that a user changed on a map to the edits.

        Args:
            things: The (number, name) of every object on the map before the change, in order.
            moved: The new cells of moved objects, by their numbers on the map.
            removed: The numbers of objects that were removed.
            added: The name and the cell of every new object.

        Returns:
            Messages about changes that no hand edit can describe.
        """
        from exporter.build.painted_edits import merged_objects

        build = self.build
        merged = merged_objects(
            build.groups.generated,
            self.object_edits,
            build.groups.conflicts,
            things,
            moved,
            removed,
            added,
        )
        self.object_edits = merged.edits
        self.painted_objects += merged.changes
        return merged.dropped


class TileNames:
    """Finds the names of the tiles that a painted map shows by number.

    Call `learn` first.

    Args:
        root: The project's folder.
        path: The path of the map, relative to the project.
        files: The exported files of the level, by path; the map's tilesets are among them.
        content: Returns the content of such a file.
    """

    def __init__(
        self, root: Path, path: str, files: Mapping[str, File], content: Callable[[File], bytes]
    ) -> None:
        self.root = root
        self.folder = path.rpartition("/")[0]
        self.files = files
        self.content = content
        self._learned: dict[tuple[str, int], str] = {}
        self._named: dict[str, dict[int, str]] = {}

    def learn(self, present: PaintedMap, build: Build) -> None:
        """Learn which tile each number on the map means.

        `present` is the map of the level as generated now, without paint; `build` is the build of
        that level.
        """
        import numpy as np

        for name, numbers in present.layers.items():
            layer = build.layers.get(name)
            if layer is None or layer.kind != "tiles" or layer.cells.shape != numbers.shape:
                continue
            tiles = {tile.id: tile.name for tile in layer.tiles}
            both = numbers.astype(np.int64) << 16 | layer.cells
            for item in np.unique(both).tolist():
                number, tile = item >> 16, item & 0xFFFF
                for tileset in reversed(present.tilesets):
                    if 0 < tileset.first <= number:
                        key = tileset.key, number - tileset.first
                        self._learned.setdefault(key, tiles[tile])
                        break

    def __call__(self, tileset: MapTileset, number: int) -> str | None:
        """Return the name of tile `number` of `tileset`; None if it is unknown."""
        result = self._learned.get((tileset.key, number))
        if result is not None:
            return result
        if tileset.key not in self._named:
            self._named[tileset.key] = self._read(tileset)
        return self._named[tileset.key].get(number)

    def _read(self, tileset: MapTileset) -> dict[int, str]:
        """Return the names of the tiles in the file of `tileset`, by number."""
        from exporter.formats.tiled.painted_map import names_in, names_in_file

        if not tileset.external:
            return names_in(tileset.document)
        file = self.files.get(f"{self.folder}/{tileset.key}" if self.folder else tileset.key)
        if file is None:
            return {}
        return names_in_file(self.content(file))
