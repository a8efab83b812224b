"""Which chunks of tiles are near the view: part of the scripts of large levels and of worlds.

The script around it has `chunk_side`, `tile_size`, `most_open` and `_chunk_count()`.
"""

from __future__ import annotations

CHUNKS_IN_VIEW = """\
## Columns and rows of the chunks that touch an area.
func _places_in(area: Rect2) -> Rect2i:
	var side := float(chunk_side * tile_size)
	var all := Rect2i(Vector2i.ZERO, _chunk_count())
	var limit := Vector2(all.end)
	var first := Vector2i((area.position / side).floor().clamp(Vector2.ZERO, limit))
	var end := Vector2i((area.end / side).floor().clamp(-Vector2.ONE, limit)) + Vector2i.ONE
	return Rect2i(first, (end - first).max(Vector2i.ZERO)).intersection(all)


## The chunks that touch an area; of too many, those nearest to the middle of the view.
func _chunks_in(area: Rect2, view: Rect2) -> Array[Vector2i]:
	var middle := view.get_center() / float(chunk_side * tile_size) - Vector2(0.5, 0.5)
	var touched := _places_in(area)
	if touched.get_area() > most_open:
		touched = _around(middle, touched)
	var places: Array[Vector2i] = []
	for y: int in range(touched.position.y, touched.end.y):
		for x: int in range(touched.position.x, touched.end.x):
			places.append(Vector2i(x, y))
	if places.size() > most_open:
		places.sort_custom(
			func(a: Vector2i, b: Vector2i) -> bool:
				return middle.distance_squared_to(a) < middle.distance_squared_to(b)
		)
	return places.slice(0, most_open)


## A part of the touched chunks that has the nearest ones, so that not all need to be compared.
func _around(middle: Vector2, touched: Rect2i) -> Rect2i:
	# The nearest are a disc or, at the border of the level, half of one or a strip.
	var wide := ceili(1.6 * sqrt(most_open)) + 2
	@warning_ignore("integer_division")
	var strip := Vector2i(most_open / touched.size.y + 3, most_open / touched.size.x + 3)
	var kept := touched.size.min(strip.max(Vector2i(wide, wide)))
	@warning_ignore("integer_division")
	var first := Vector2i(middle.round()).clamp(touched.position, touched.end) - kept / 2
	return Rect2i(first.clamp(touched.position, touched.end - kept), kept)


"""
