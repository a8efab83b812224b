extends RefCounted
## Makes a level in a running game, as games without an exporter do, and opens an exported one: the
## milliseconds of each step, the median of some runs.
##
## Maps are one byte a cell, row after row, 1 where there is a wall; the outermost cells are walls.

const Blob := preload("res://addons/level_exporter/runtime/level_blob.gd")
const TILE := 16
const QUADRANTS: Array[Transform2D] = [
	Transform2D(Vector2.RIGHT, Vector2.UP, Vector2.ZERO),
	Transform2D(Vector2.RIGHT, Vector2.DOWN, Vector2.ZERO),
	Transform2D(Vector2.DOWN, Vector2.RIGHT, Vector2.ZERO),
	Transform2D(Vector2.DOWN, Vector2.LEFT, Vector2.ZERO),
]

var _tree: SceneTree = Engine.get_main_loop()
var _runs: int
var _levels := {}


func query(arguments: Dictionary) -> Dictionary:
	await _tree.process_frame  # before it, nothing is in the tree
	_runs = int(arguments["runs"])
	var side := int(arguments["side"])
	var radius := int(arguments["radius"])
	# A game keeps its TileSet loaded between levels.
	var kept: Node = (load("res://levels/merged.tscn") as PackedScene).instantiate()
	var ground: TileMapLayer = kept.get_node("ground")
	var level := Blob.open("res://levels/merged.lvb")
	var walls := level.opaque("ground")
	var start := Vector2i(int(level.objects()[0]["x"]), int(level.objects()[0]["y"]))
	var told := {
		"cave": _median(func() -> void: join(make_cave(side, 42, 4), side)),
		"exposure": _median(func() -> void: exposure(walls, side, radius)),
		"steps": _median(func() -> void: steps_from(walls, side, start)),
		"terrains": _median(choose_tiles.bind(ground, walls, side)),
		"pictures": _median(choose_pictures.bind(ground, walls, side, pictures_of(ground, walls, side))),
		"navigation": _median(bake_paths.bind("res://levels/tiles.tscn")),
		"read exposure": _median(
			func() -> void: Blob.open("res://levels/merged.lvb").heights("exposure")
		),
		"read steps": _median(func() -> void: Blob.open("res://levels/merged.lvb").cells("steps")),
		"open": await _time_to_open("res://levels/merged.scn"),
		# Both must say the same.
		"seen": exposure(walls, side, radius),
		"exported seen": _sum(level.heights("exposure")),
		"farthest": steps_from(walls, side, start),
		"exported farthest": _largest(level.cells("steps")),
	}
	kept.free()
	return told


## A cave by the rule of four and five: a cell becomes a wall if five of its nine cells are walls.
func make_cave(side: int, wall_percent: int, rounds: int) -> PackedByteArray:
	var random := RandomNumberGenerator.new()
	random.seed = 1
	var walls := PackedByteArray()
	walls.resize(side * side)
	walls.fill(1)
	for y in range(1, side - 1):
		for x in range(1, side - 1):
			walls[y * side + x] = int(random.randi_range(0, 99) < wall_percent)
	for _round in rounds:
		var before := walls.duplicate()
		for y in range(1, side - 1):
			for x in range(1, side - 1):
				var at := y * side + x
				var count := (
					before[at - side - 1] + before[at - side] + before[at - side + 1]
					+ before[at - 1] + before[at] + before[at + 1]
					+ before[at + side - 1] + before[at + side] + before[at + side + 1]
				)
				walls[at] = int(count >= 5)
	return walls


## Digs from each region to the nearest other floor, until all floor is one region.
func join(walls: PackedByteArray, side: int) -> PackedByteArray:
	var labels := PackedInt32Array()
	labels.resize(walls.size())
	var regions: Array[PackedInt32Array] = []
	for at in walls.size():
		if walls[at] == 0 and labels[at] == 0:
			regions.append(_flood(walls, side, at, labels, regions.size() + 1))
	regions.sort_custom(
		func(a: PackedInt32Array, b: PackedInt32Array) -> bool: return a.size() < b.size()
	)
	for number in regions.size() - 1:
		var cells := regions[number]
		if labels[cells[0]] != labels[regions[-1][0]]:
			_dig(walls, side, cells, labels)
	return walls


## Fills a region with a number, and returns its cells.
func _flood(
	walls: PackedByteArray, side: int, first: int, labels: PackedInt32Array, label: int
) -> PackedInt32Array:
	var cells := PackedInt32Array([first])
	labels[first] = label
	var next := 0
	while next < cells.size():
		for step: int in [-side, -1, 1, side]:
			var at := cells[next] + step
			if walls[at] == 0 and labels[at] != label:
				labels[at] = label
				cells.append(at)
		next += 1
	return cells


## Digs the shortest way from a region to other floor, and gives the region that floor's number.
func _dig(
	walls: PackedByteArray, side: int, cells: PackedInt32Array, labels: PackedInt32Array
) -> void:
	var own := labels[cells[0]]
	var from := PackedInt32Array()
	from.resize(walls.size())
	from.fill(-1)
	for at in cells:
		from[at] = at
	var queue := cells.duplicate()
	var next := 0
	while next < queue.size():
		var here := queue[next]
		next += 1
		for step: int in [-side, -1, 1, side]:
			var at := here + step
			var x := at % side
			if x < 1 or x > side - 2 or at < side or at >= side * (side - 1) or from[at] >= 0:
				continue
			from[at] = here
			if walls[at] == 0 and labels[at] != own:
				while walls[here] == 1:
					walls[here] = 0
					labels[here] = labels[at]
					here = from[here]
				_flood(walls, side, cells[0], labels, labels[at])
				return
			queue.append(at)


## How many cells each open cell sees, as a sum of all.
func exposure(walls: PackedByteArray, side: int, radius: int) -> int:
	var total := 0
	for y in side:
		for x in side:
			if walls[y * side + x] == 0:
				total += count_seen(walls, side, Vector2i(x, y), radius)
	return total


## How many cells are seen, by symmetric shadowcasting (Albert Ford) within a circle.
func count_seen(walls: PackedByteArray, side: int, at: Vector2i, radius: int) -> int:
	var seen := {at: true}
	for quadrant in QUADRANTS:
		_scan(walls, side, at, radius, quadrant, seen)
	return seen.size()


func _scan(
	walls: PackedByteArray,
	side: int,
	at: Vector2i,
	radius: int,
	quadrant: Transform2D,
	seen: Dictionary,
) -> void:
	# A row begins and ends at slopes, as fractions: numerator, denominator.
	var across := Vector2i(quadrant.x)
	var away := Vector2i(quadrant.y)
	var rows: Array[Array] = [[1, -1, 1, 1, 1]]
	while not rows.is_empty():
		var row: Array = rows.pop_back()
		var depth: int = row[0]
		var low: int = row[1]
		var below: int = row[2]
		var high: int = row[3]
		var above: int = row[4]
		var first := floori((2.0 * depth * low + below) / (2.0 * below))
		var last := ceili((2.0 * depth * high - above) / (2.0 * above))
		var was_wall := -1
		for column in range(first, last + 1):
			var cell := at + away * depth + across * column
			var is_wall := 1
			if cell.x >= 0 and cell.y >= 0 and cell.x < side and cell.y < side:
				is_wall = walls[cell.y * side + cell.x]
				var is_displayed := (
					is_wall == 1
					or (column * below >= depth * low and column * above <= depth * high)
				)
				if is_displayed and column * column + depth * depth <= radius * radius:
					seen[cell] = true
			if was_wall == 1 and is_wall == 0:
				low = 2 * column - 1
				below = 2 * depth
			if was_wall == 0 and is_wall == 1 and depth < radius:
				rows.append([depth + 1, low, below, 2 * column - 1, 2 * depth])
			was_wall = is_wall
		if was_wall == 0 and depth < radius:
			rows.append([depth + 1, low, below, high, above])


## The steps from a cell to every other; the largest number of them.
func steps_from(walls: PackedByteArray, side: int, start: Vector2i) -> int:
	var steps := PackedInt32Array()
	steps.resize(walls.size())
	steps.fill(-1)
	var queue := PackedInt32Array([start.y * side + start.x])
	steps[queue[0]] = 0
	var next := 0
	while next < queue.size():
		var here := queue[next]
		next += 1
		for step: int in [-side, -1, 1, side]:
			var at := here + step
			if walls[at] == 0 and steps[at] < 0:
				steps[at] = steps[here] + 1
				queue.append(at)
	return steps[queue[-1]]


## Lets the engine choose the picture of each wall from its neighbours.
func choose_tiles(ground: TileMapLayer, walls: PackedByteArray, side: int) -> void:
	var layer := TileMapLayer.new()
	layer.tile_set = ground.tile_set
	var cells: Array[Vector2i] = []
	for at in walls.size():
		if walls[at] == 1:
			cells.append(Vector2i(at % side, at / side))
	layer.set_cells_terrain_connect(cells, 0, 0, false)
	layer.free()


## The same by a script that knows which picture belongs to which neighbours.
func choose_pictures(
	ground: TileMapLayer, walls: PackedByteArray, side: int, pictures: Dictionary
) -> void:
	var layer := TileMapLayer.new()
	layer.tile_set = ground.tile_set
	for at in walls.size():
		if walls[at] == 1:
			layer.set_cell(Vector2i(at % side, at / side), 0, pictures[_around(walls, side, at)])
	layer.free()


## The pictures of the exported walls, by the neighbours that are walls.
func pictures_of(ground: TileMapLayer, walls: PackedByteArray, side: int) -> Dictionary:
	var pictures := {}
	for at in walls.size():
		if walls[at] == 1:
			var cell := Vector2i(at % side, at / side)
			pictures[_around(walls, side, at)] = ground.get_cell_atlas_coords(cell)
	return pictures


## Which of the eight neighbours are walls, one bit each; cells outside count as walls.
func _around(walls: PackedByteArray, side: int, at: int) -> int:
	var column := at % side
	var row := at / side
	var mask := 0
	for y in range(row - 1, row + 2):
		for x in range(column - 1, column + 2):
			var outside := x < 0 or y < 0 or x >= side or y >= side
			mask = mask * 2 + (1 if outside else walls[y * side + x])
	return mask


## Bakes the walkable area from a layer whose tiles define it.
func bake_paths(scene: String) -> void:
	var polygons := NavigationPolygon.new()
	polygons.agent_radius = 0.0
	var source := NavigationMeshSourceGeometryData2D.new()
	var level: Node = _opened(scene)
	NavigationServer2D.parse_source_geometry_data(polygons, source, level)
	NavigationServer2D.bake_from_source_geometry_data(polygons, source)
	if polygons.get_polygon_count() == 0:
		push_error("nothing was baked")


func _sum(values: PackedFloat32Array) -> int:
	var total := 0
	for value in values:
		total += roundi(value)
	return total


## The largest number of steps; 65535 are cells that cannot be reached.
func _largest(values: PackedInt32Array) -> int:
	var largest := 0
	for value in values:
		if value < 65535:
			largest = maxi(largest, value)
	return largest


## A scene that stays in the tree: baking asks the tree for its nodes.
func _opened(scene: String) -> Node:
	if not _levels.has(scene):
		_levels[scene] = (load(scene) as PackedScene).instantiate()
		_tree.root.add_child(_levels[scene])
	return _levels[scene]


func _time_to_open(scene: String) -> float:
	var text: PackedScene = load(scene.replace(".scn", ".tscn"))
	ResourceSaver.save(text, scene)  # as exported games have it
	var times: Array[float] = []
	for run in _runs:
		var began := Time.get_ticks_usec()
		var packed: PackedScene = ResourceLoader.load(scene, "", ResourceLoader.CACHE_MODE_IGNORE)
		var level := packed.instantiate()
		_tree.root.add_child(level)
		times.append((Time.get_ticks_usec() - began) / 1000.0)
		await _tree.process_frame
		level.queue_free()
		await _tree.process_frame
	return _middle(times)


func _median(call: Callable) -> float:
	var times: Array[float] = []
	for run in _runs:
		var began := Time.get_ticks_usec()
		call.call()
		times.append((Time.get_ticks_usec() - began) / 1000.0)
	return _middle(times)


func _middle(times: Array[float]) -> float:
	times.sort()
	return times[times.size() / 2]
