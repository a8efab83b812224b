class_name LevelExporterGeometry
extends RefCounted
## Lines and camera views on a grid, by the same rules as the exporter's Python side.


## The part of the map a camera of [param view] cells shows around the player: the player in the
## middle (exactly, for odd sizes), moved so that the view lies in the map. On an axis where the
## map is smaller than the view the view starts at 0.
static func game_view(player: Vector2i, view: Vector2i, map: Vector2i) -> Rect2i:
	@warning_ignore("integer_division")
	var origin := player - view / 2
	origin.x = clampi(origin.x, 0, maxi(map.x - view.x, 0))
	origin.y = clampi(origin.y, 0, maxi(map.y - view.y, 0))
	return Rect2i(origin, view)


## Bresenham's line: every cell from [param a] to [param b], both included, in order. The minor
## axis is rounded half away from [param a], so the line back may differ.
static func line(a: Vector2i, b: Vector2i) -> Array[Vector2i]:
	var cells: Array[Vector2i] = []
	var d := b - a
	var steps := maxi(absi(d.x), absi(d.y))
	cells.resize(steps + 1)
	cells[0] = a
	var side := Vector2i(signi(d.x), signi(d.y))
	for i in range(1, steps + 1):
		@warning_ignore("integer_division")
		cells[i] = a + side * Vector2i(
			(2 * i * absi(d.x) + steps) / (2 * steps), (2 * i * absi(d.y) + steps) / (2 * steps)
		)
	return cells


## The cells from [param a] towards [param b] before the first for which [param is_barrier]
## (called with a Vector2i) returns true; [param a] is always among them.
static func line_until(a: Vector2i, b: Vector2i, is_barrier: Callable) -> Array[Vector2i]:
	var cells := line(a, b)
	for i in range(1, cells.size()):
		if is_barrier.call(cells[i]):
			return cells.slice(0, i)
	return cells
