class_name LevelExporterVisibility
extends RefCounted
## The field of view of one cell, by the same three rules as the exporter's Python side, in
## integers, so that both give the same cells.
##
## [param opaque] is one byte a cell, row after row, not 0 where sight is blocked. Outside the map
## is opaque. An opaque cell sees only itself.

const SYMMETRIC := "symmetric"
const SHADOWCAST := "shadowcast"
const RAYCAST := "raycast"

# Four numbers for each quadrant or octant: the steps in x and y of one depth and of one column.
const _QUADRANTS: PackedInt32Array = [0, -1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, -1, 0, 0, 1]
const _OCTANTS: PackedInt32Array = [
	0, -1, -1, 0, 0, -1, 1, 0, 0, 1, -1, 0, 0, 1, 1, 0,
	-1, 0, 0, -1, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1,
]


## What the cell [param at] sees: one byte a cell of the map, 1 where it is seen.
static func visible_from(
	opaque: PackedByteArray,
	map: Vector2i,
	at: Vector2i,
	radius: int,
	algorithm := SYMMETRIC,
	see_walls := false
) -> PackedByteArray:
	var seen := PackedByteArray()
	seen.resize(map.x * map.y)
	if not Rect2i(Vector2i.ZERO, map).has_point(at):
		return seen
	seen[at.y * map.x + at.x] = 1
	if opaque[at.y * map.x + at.x]:
		return seen
	# Packed arrays are passed by reference: the casts mark cells in this one.
	match algorithm:
		SHADOWCAST:
			for octant in range(0, _OCTANTS.size(), 4):
				var steps := _OCTANTS.slice(octant, octant + 4)
				_cast_octant(opaque, map, at, radius, steps, seen)
		RAYCAST:
			_cast_rays(opaque, map, at, radius, see_walls, seen)
		_:
			for quadrant in range(0, _QUADRANTS.size(), 4):
				var steps := _QUADRANTS.slice(quadrant, quadrant + 4)
				_cast_quadrant(opaque, map, at, radius, steps, seen)
	return seen


# Symmetric shadowcasting (Albert Ford), rows of a quadrant between two slopes that are kept as
# exact fractions. A wall is seen if it is in the row, a floor if its centre lies between the
# slopes, ends included.
static func _cast_quadrant(
	opaque: PackedByteArray,
	map: Vector2i,
	at: Vector2i,
	radius: int,
	steps: PackedInt32Array,
	seen: PackedByteArray
) -> void:
	var width := map.x
	var height := map.y
	var reach := radius * radius
	# A stack of rows to scan: depth, start slope, end slope (numerator, denominator).
	var rows := PackedInt64Array([1, -1, 1, 1, 1])
	while not rows.is_empty():
		var top := rows.size() - 5
		var depth := rows[top]
		var start_up := rows[top + 1]
		var start_down := rows[top + 2]
		var end_up := rows[top + 3]
		var end_down := rows[top + 4]
		rows.resize(top)
		# floor(depth * start + 1/2) and ceil(depth * end - 1/2); integer division rounds towards
		# zero, so both are shifted to be positive by a whole number of denominators first.
		var shift := depth + 2
		var above := 2 * depth * start_up + start_down + 2 * shift * start_down
		@warning_ignore("integer_division")
		var column := above / (2 * start_down) - shift
		@warning_ignore("integer_division")
		var last := shift - (2 * shift * end_down - 2 * depth * end_up + end_down) / (2 * end_down)
		var before := -1
		while column <= last:
			var x := at.x + depth * steps[0] + column * steps[2]
			var y := at.y + depth * steps[1] + column * steps[3]
			var wall := 1
			if x >= 0 and x < width and y >= 0 and y < height:
				var index := y * width + x
				if opaque[index] == 0:
					wall = 0
					if before == 1:
						start_up = 2 * column - 1
						start_down = 2 * depth
				if depth * depth + column * column <= reach and (
					wall == 1
					or (
						column * start_down >= depth * start_up
						and column * end_down <= depth * end_up
					)
				):
					seen[index] = 1
			if before == 0 and wall == 1 and depth < radius:
				rows.append_array(
					PackedInt64Array([depth + 1, start_up, start_down, 2 * column - 1, 2 * depth])
				)
			before = wall
			column += 1
		if before == 0 and depth < radius:
			rows.append_array(PackedInt64Array([depth + 1, start_up, start_down, end_up, end_down]))


# Recursive shadowcasting (Björn Bergström) on exact fractions: in row `depth` the cell `column`
# steps from the axis has the left slope (2c + 1) / (2d - 1) and the right slope
# (2c - 1) / (2d + 1); a row is scanned from the far end towards the axis.
static func _cast_octant(
	opaque: PackedByteArray,
	map: Vector2i,
	at: Vector2i,
	radius: int,
	steps: PackedInt32Array,
	seen: PackedByteArray
) -> void:
	var width := map.x
	var height := map.y
	var reach := radius * radius
	var rows := PackedInt64Array([1, 1, 1, 0, 1])
	while not rows.is_empty():
		var top := rows.size() - 5
		var depth := rows[top]
		var start_up := rows[top + 1]
		var start_down := rows[top + 2]
		var end_up := rows[top + 3]
		var end_down := rows[top + 4]
		rows.resize(top)
		if start_up * end_down < end_up * start_down:
			continue
		while depth <= radius:
			var blocked := false
			var next_up := start_up
			var next_down := start_down
			for column in range(depth, -1, -1):
				if start_up * (2 * depth + 1) < (2 * column - 1) * start_down:
					continue
				if end_up * (2 * depth - 1) > (2 * column + 1) * end_down:
					break
				var x := at.x + depth * steps[0] + column * steps[2]
				var y := at.y + depth * steps[1] + column * steps[3]
				var wall := true
				if x >= 0 and x < width and y >= 0 and y < height:
					var index := y * width + x
					wall = opaque[index] != 0
					if depth * depth + column * column <= reach:
						seen[index] = 1
				if wall:
					if not blocked and depth < radius:
						blocked = true
						rows.append_array(
							PackedInt64Array(
								[depth + 1, start_up, start_down, 2 * column + 1, 2 * depth - 1]
							)
						)
					if blocked:
						next_up = 2 * column - 1
						next_down = 2 * depth + 1
				elif blocked:
					blocked = false
					start_up = next_up
					start_down = next_down
			if blocked:
				break
			depth += 1


# A Bresenham line to every cell nearer than the radius; the first blocker ends it.
static func _cast_rays(
	opaque: PackedByteArray,
	map: Vector2i,
	at: Vector2i,
	radius: int,
	see_walls: bool,
	seen: PackedByteArray
) -> void:
	for dy in range(-radius, radius + 1):
		for dx in range(-radius, radius + 1):
			if dx * dx + dy * dy >= radius * radius:
				continue
			var across := absi(dx)
			var down := absi(dy)
			var count := maxi(across, down)
			for i in range(1, count + 1):
				@warning_ignore("integer_division")
				var x := at.x + signi(dx) * ((2 * i * across + count) / (2 * count))
				@warning_ignore("integer_division")
				var y := at.y + signi(dy) * ((2 * i * down + count) / (2 * count))
				if x < 0 or x >= map.x or y < 0 or y >= map.y:
					break
				if opaque[y * map.x + x]:
					if see_walls:
						seen[y * map.x + x] = 1
					break
				seen[y * map.x + x] = 1
