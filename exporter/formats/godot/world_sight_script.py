"""What the script of a world's node does for sight: one cell's field of view, in the parts there.

Nothing is stored of it but which cells block sight, so a view is as the table of the whole map has
it, also across the borders of parts.
"""

from __future__ import annotations

SIGHT_FUNCTIONS = """\


## Whether the world says who sees whom.
func has_visibility() -> bool:
	return sight_rule in SIGHT_RULES and sight_radius >= 1 and sight_radius <= LARGEST_SIGHT


## What is seen from a cell: one byte for each cell of a square around it, row after row, 1 where it
## is seen. The square has `2 * sight_radius + 1` cells a side. Cells of parts that are not there
## block sight. The last answer is kept until parts come or go.
##
## `changed` is for doors and walls that the game opens and closes: the result of `opaque_around`
## with other values in some cells. Such answers are not kept, and are empty if the size is another.
func visible_from(at: Vector2i, changed := PackedByteArray()) -> PackedByteArray:
	if not changed.is_empty():
		return _view_of(at, changed.duplicate())
	if _view.is_empty() or at != _viewer:
		_view = _view_of(at, opaque_around(at))
		_viewer = at
	return _view.duplicate()


## Whether `target` is seen from `at`.
func can_see(at: Vector2i, target: Vector2i) -> bool:
	var area := _area_around(at)
	if not area.has_point(target) or visible_from(at).is_empty():
		return false
	var place := target - area.position
	return _view[place.y * area.size.x + place.x] == 1


## Which cells block sight in the square that `visible_from` tells of: one byte a cell, 1 where it
## is blocked. Those outside of the world do, and those of parts that are not there.
func opaque_around(at: Vector2i) -> PackedByteArray:
	var found := PackedByteArray()
	if not has_visibility():
		return found
	var area := _area_around(at)
	found.resize(area.get_area())
	found.fill(1)
	var there := area.intersection(Rect2i(Vector2i.ZERO, size))
	if not there.has_area():
		return found
	@warning_ignore("integer_division")
	var last := (there.end - Vector2i.ONE) / part_side
	@warning_ignore("integer_division")
	var first := there.position / part_side
	for row in range(first.y, last.y + 1):
		for column in range(first.x, last.x + 1):
			var part: Part = _parts.get(Vector2i(column, row))
			if part != null and part.state == OPEN:
				part.copy_opaque(there, part_side, area, found)
	return found


func _area_around(at: Vector2i) -> Rect2i:
	return Rect2i(at, Vector2i.ONE).grow(sight_radius)


func _view_of(at: Vector2i, opaque: PackedByteArray) -> PackedByteArray:
	if not has_visibility():
		push_error("%s: the world has no visibility" % name)
		return PackedByteArray()
	var area := _area_around(at)
	if opaque.size() != area.get_area():
		return PackedByteArray()
	_fill_outside(opaque, area, 1)
	var middle := Vector2i.ONE * sight_radius
	var seen := Sight.visible_from(opaque, area.size, middle, sight_radius, sight_rule, see_walls)
	_fill_outside(seen, area, 0)
	return seen


## Fill what lies outside of the world. Packed arrays are passed by reference.
func _fill_outside(cells: PackedByteArray, area: Rect2i, value: int) -> void:
	var world := Rect2i(Vector2i.ZERO, size)
	if world.encloses(area):
		return
	for index in cells.size():
		@warning_ignore("integer_division")
		var place := Vector2i(index % area.size.x, index / area.size.x)
		if not world.has_point(area.position + place):
			cells[index] = value
"""
