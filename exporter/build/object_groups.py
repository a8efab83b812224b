"""Keep the object groups of a level while they are placed one by one.

A group is one entry of `objects:` in a spec. Groups are placed one after another, each after the
groups that it names. A group reads the cells of the groups that it names, and which cells are
occupied. Object ids count from 1 in the order of the spec, but groups with `after_others` come
last, so ids are known only when all groups are placed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from exporter.model.keys import content_key, stage_key, value_key
from exporter.model.level import PlacedObject
from exporter.model.level_values import PropertyValue
from exporter.model.property_values import plain_values
from exporter.placement.parameters import fixed_places
from exporter.placement.standing import objects_of_layers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.build.edits import EditedObjects
    from exporter.model.hand_edits import EditConflict
    from exporter.model.level import Layer
    from exporter.placement.parameters import ObjectParameters
    from exporter.placement.placed import PlacedGroup
    from exporter.reading.edits import ObjectEdit


class ObjectGroups:
    """The object groups of one level, and the cells that they occupy.

    Args:
        objects: The groups in the order of the spec.
        size: The level's width and height.
        edits: Hand edits of objects. A group that names edited objects reads their edited cells;
            other groups only avoid these cells. A group ignores the edits of its own objects, so
            these are generated as before.
    """

    def __init__(
        self,
        objects: Sequence[ObjectParameters],
        size: tuple[int, int],
        edits: Sequence[ObjectEdit] = (),
    ) -> None:
        self._objects = objects
        self._edits = edits
        self._width, self._height = size
        # Indices of the groups in the order of object ids.
        self._order = sorted(range(len(objects)), key=lambda index: objects[index].after_others)
        self._entries: defaultdict[str, list[int]] = defaultdict(list)
        for index in self._order:
            self._entries[objects[index].name].append(index)
        self._fixed = fixed_places(objects)
        self._begun: Counter[str] = Counter()
        self._numbered: dict[tuple[str, int], int] = {}
        self._places: dict[int, PlacedGroup] = {}
        self._keys: dict[int, str | None] = {}
        self._standing: tuple[PlacedObject, ...] = ()
        self._of_layers: tuple[PlacedObject, ...] = ()
        self._of_mission: tuple[PlacedObject, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names of all objects in the spec, in layers and of the mission."""
        return frozenset((*self._entries, *(item.name for item in self._standing)))

    def stand(self, layers: Iterable[Layer]) -> None:
        """Add the objects that `layers` contain, such as those of prefabs.

        They come before all groups. Several of them may be on the same cell.
        """
        self._of_layers = objects_of_layers(layers)
        self._stand()

    def stand_for_mission(self, objects: tuple[PlacedObject, ...]) -> None:
        """Add the objects placed for the mission, after the objects of layers."""
        self._of_mission = objects
        self._stand()

    def _stand(self) -> None:
        self._standing = (*self._of_layers, *self._of_mission)
        for item in self._standing:
            self._occupied[item.y, item.x] = True

    def begin(self, index: int) -> tuple[str, int]:
        """Start placing the group at `index` in the spec's `objects`.

        Return the name of its objects, and its number among the groups of that name, from 1.
        """
        name = self._objects[index].name
        self._begun[name] += 1
        self._numbered[name, self._begun[name]] = index
        return name, self._begun[name]

    def number_of(self, index: int) -> int:
        """Return the number of a group among the groups with the same name.

        `index` is the group's index in the spec's `objects`; its placing has begun.
        """
        return next(number for (_, number), item in self._numbered.items() if item == index)

    def finish(self, index: int, placed: PlacedGroup, key: str | None) -> None:
        """Record the cells of a placed group.

        `index` is the group's index in the spec's `objects`; `key` is the cache key of `placed`, if
        any.
        """
        self._places[index] = placed
        self._keys[index] = key
        for x, y in placed.cells:
            self._occupied[y, x] = True

    # --- questions of stages -------------------------------------------------------------------

    def group(self, name: str, number: int) -> ObjectParameters:
        """Return the spec's entry of a group, without its properties.

        It is the group with this `number` among those called `name`, from 1 in build order.
        """
        item = self._objects[self._numbered[name, number]]
        return replace(item, properties={}) if item.properties else item

    def unavailable(self, name: str, number: int) -> NDArray[np.bool_]:
        """Return the cells that a group must not use: bool [height, width].

        Other objects occupy or reserve these cells. The group is the one with this `number` among
        those called `name`, from 1 in build order.
        """
        own = self._numbered[name, number]
        # Later groups must not block the current one.
        used = self._occupied | self._reserved
        if own in self._fixed:
            x, y = self._fixed[own]
            used[y, x] = self._occupied[y, x]
        for edit in self._edits:
            x, y = edit.add or edit.now or (self._width, 0)
            if edit.name != name and x < self._width and y < self._height:
                used[y, x] = True
        return used

    def occupied(self) -> NDArray[np.bool_]:
        """Return which cells the objects placed so far occupy or reserve.

        bool [height, width].
        """
        return self._occupied | self._reserved

    def occupied_key(self) -> str:
        """Return a hash of the result of `occupied`."""
        import numpy as np

        return content_key(np.packbits(self.occupied()).tobytes())

    def keys(self) -> tuple[PlacedObject, ...]:
        """Return the keys placed so far: the objects that open a lock.

        Objects of a name count only when all groups of that name are placed.
        """
        return tuple(
            item
            for name in dict.fromkeys((*self._entries, *(item.name for item in self._standing)))
            if all(index in self._places for index in self._entries.get(name, ()))
            for item in self.named(name)
            if item.opens is not None
        )

    def used_key(self, name: str, number: int) -> str:
        """Return a hash of the result of `unavailable`."""
        import numpy as np

        return content_key(np.packbits(self.unavailable(name, number)).tobytes())

    def cells(self, *names: str) -> tuple[int, ...]:
        """Return the sorted cells where objects called `names` were placed.

        Hand edits are not applied. A cell is the number y * width + x.
        """
        indices = {index for name in names for index in self._entries.get(name, ())}
        places = [self._places[index].cells for index in indices if index in self._places]
        places.append(tuple((item.x, item.y) for item in self._standing if item.name in names))
        return tuple(sorted(y * self._width + x for group in places for x, y in group))

    def cells_key(self, *names: str) -> str:
        """Return a hash of the result of `cells`."""
        return content_key(",".join(map(str, self.cells(*names))).encode())

    def standing_cells(self, *names: str) -> tuple[int, ...]:
        """Return the sorted cells where objects called `names` are now.

        Hand edits are applied. A cell is the number y * width + x.
        """
        if not self._edits_of(*names):
            return self.cells(*names)
        standing = (item for name in dict.fromkeys(names) for item in self.named(name))
        return tuple(sorted(item.y * self._width + item.x for item in standing))

    def standing_cells_key(self, *names: str) -> str:
        """Return a hash of the result of `standing_cells`."""
        return content_key(",".join(map(str, self.standing_cells(*names))).encode())

    def named(self, name: str) -> tuple[PlacedObject, ...]:
        """Return the objects called `name`, with their hand edits applied.

        Their ids are 1, 2, ..., since final ids depend on other objects.
        """
        standing = [item for item in self._standing if item.name == name]
        placed, edits = self._placed(standing, self._entries.get(name, ())), self._edits_of(name)
        return self._edited(placed, edits).objects if edits else placed

    def named_key(self, name: str) -> str | None:
        """Return a hash of the result of `named`.

        None if a group of that name has no cache key.
        """
        standing = [item for item in self._standing if item.name == name]
        key, edits = self._key_of(standing, self._entries.get(name, ())), self._edits_of(name)
        return stage_key(key, value_key(edits)) if edits and key is not None else key

    @property
    def all(self) -> tuple[PlacedObject, ...]:
        """All objects of the level, with their hand edits applied."""
        return self._all_edited.objects if self._edits else self.generated

    @property
    def conflicts(self) -> tuple[EditConflict, ...]:
        """The hand edits of objects that do not fit the placed objects."""
        return self._all_edited.conflicts if self._edits else ()

    @cached_property
    def generated(self) -> tuple[PlacedObject, ...]:
        """All objects as they were placed, without hand edits."""
        return self._placed(self._standing, self._order)

    @property
    def spawned(self) -> dict[int, PlacedGroup]:
        """The groups drawn from spawn tables, by index in the spec's `objects`."""
        return {
            index: placed
            for index, placed in self._places.items()
            if self._objects[index].spawn is not None
        }

    def edited(self, edits: Sequence[ObjectEdit]) -> tuple[PlacedObject, ...]:
        """Return all placed objects, with `edits` applied instead of all edits."""
        return self._edited(self.generated, edits).objects

    def all_key(self) -> str | None:
        """Return a hash of `all`; None if a group has no cache key."""
        key = self._key_of(self._standing, self._order)
        if not self._edits or key is None:
            return key
        return stage_key(key, value_key(tuple(self._edits)))

    @cached_property
    def _all_edited(self) -> EditedObjects:
        return self._edited(self.generated, self._edits)

    def _edits_of(self, *names: str) -> tuple[ObjectEdit, ...]:
        return tuple(edit for edit in self._edits if edit.name in names)

    def _edited(
        self, objects: tuple[PlacedObject, ...], edits: Sequence[ObjectEdit]
    ) -> EditedObjects:
        from exporter.build.edits import edit_objects

        properties = {item.name: item.properties for item in reversed(self._of_mission)}
        properties |= {item.name: plain_values(item.properties) for item in reversed(self._objects)}
        return edit_objects(objects, edits, (self._width, self._height), properties)

    @cached_property
    def _occupied(self) -> NDArray[np.bool_]:
        import numpy as np

        return np.zeros((self._height, self._width), bool)

    @cached_property
    def _reserved(self) -> NDArray[np.bool_]:
        """The cells at which the spec fixes objects: bool [height, width].

        Other groups must not use them. Groups with `after_others` reserve none.
        """
        import numpy as np

        remaining = np.zeros((self._height, self._width), bool)
        for index, (x, y) in self._fixed.items():
            remaining[y, x] |= not self._objects[index].after_others
        return remaining

    def _placed(
        self, standing: Sequence[PlacedObject], indices: Iterable[int]
    ) -> tuple[PlacedObject, ...]:
        result = (
            (index, cell, properties)
            for index in indices
            for cell, properties in zip(
                self._places[index].cells, self._properties(index), strict=True
            )
        )
        placed = (
            PlacedObject(number, self._objects[index].name, x, y, properties, entry=index)
            for number, (index, (x, y), properties) in enumerate(result, len(standing) + 1)
        )
        return (*(replace(item, id=position) for position, item in enumerate(standing, 1)), *placed)

    def _properties(self, index: int) -> list[Mapping[str, PropertyValue]]:
        """Return the properties of each object of a group, in order.

        `index` is the group's index in the spec's `objects`. The group's own properties override
        those of the object's row in a spawn table.
        """
        placed, own = self._places[index], plain_values(self._objects[index].properties)
        if self._objects[index].spawn is None:
            return [own] * len(placed.cells)
        kinds = [{**row, **own} for row in placed.kinds]
        return [kinds[kind] for kind in placed.kind_of]

    def _key_of(self, standing: Sequence[PlacedObject], indices: Iterable[int]) -> str | None:
        parts = [value_key(tuple(standing))] if standing else []
        for index in indices:
            key = self._keys[index]
            if key is None:
                return None
            item = self._objects[index]
            # Messages about an object point at its entry, so the index matters, too.
            parts += [item.name, str(index), value_key(item.properties), key]
        return stage_key(*parts)
