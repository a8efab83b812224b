extends RefCounted
## Opens scenes of levels one after the other and asks the engine for solid cells, paths and shadow
## casters, as a game would.

const SETTLED_FRAMES := 4
## Points of a cell, in parts of its side: the middle, and close to each corner.
const POINTS: Array[Vector2] = [
	Vector2(0.5, 0.5), Vector2(0.01, 0.01), Vector2(0.99, 0.01), Vector2(0.01, 0.99), Vector2(0.99, 0.99)
]

var _tree: SceneTree = Engine.get_main_loop()


func query(arguments: Dictionary) -> Array:
	var answers := []
	for question in arguments.levels:
		answers.append(await _level(question))
	return answers


func _level(question: Dictionary) -> Dictionary:
	var level: Node2D = load(question.scene).instantiate()
	if question.has("camera"):
		var camera := Camera2D.new()
		camera.position = Vector2(question.camera[0], question.camera[1])
		level.add_child(camera)
	_tree.root.add_child(level)
	for frame in 3:
		await _tree.physics_frame
	var answer := {
		"bodies": _bodies(question),
		"nodes": _nodes(level),
		"tile_shapes": _tile_shapes(level),
		"paths": [],
		"polygons": 0,
	}
	if question.has("pairs"):
		answer.paths = await _paths(question)
		answer.polygons = NavigationServer2D.get_process_info(NavigationServer2D.INFO_POLYGON_COUNT)
	level.free()
	for frame in 3:
		await _tree.physics_frame
	return answer


## For every cell a number: bit n for point n of it, and the next bits for a box that nearly fills
## the cell and for a small disc in its middle.
func _bodies(question: Dictionary) -> Array:
	var side: float = question.tile_size
	var space := _tree.root.world_2d.direct_space_state
	var point := PhysicsPointQueryParameters2D.new()
	var box := _shape_query(RectangleShape2D.new(), side)
	var disc := _shape_query(CircleShape2D.new(), side)
	var cells := []
	for row in range(question.y, question.y + question.height):
		for column in range(question.x, question.x + question.width):
			var corner := Vector2(column, row) * side
			var bits := 0
			for index in POINTS.size():
				point.position = corner + POINTS[index] * side
				if not space.intersect_point(point, 1).is_empty():
					bits |= 1 << index
			for query in [box, disc]:
				query.transform = Transform2D(0.0, corner + Vector2(side, side) / 2)
			if not space.intersect_shape(box, 1).is_empty():
				bits |= 1 << POINTS.size()
			if not space.intersect_shape(disc, 1).is_empty():
				bits |= 2 << POINTS.size()
			cells.append(bits)
	return cells


func _shape_query(shape: Shape2D, side: float) -> PhysicsShapeQueryParameters2D:
	if shape is RectangleShape2D:
		shape.size = Vector2(side, side) * 0.98
	else:
		shape.radius = side / 16
	var query := PhysicsShapeQueryParameters2D.new()
	query.shape = shape
	return query


## How many nodes there are of each class.
func _nodes(node: Node) -> Dictionary:
	var counts := {}
	for matches in node.find_children("*", "Node", true, false):
		counts[matches.get_class()] = counts.get(matches.get_class(), 0) + 1
	return counts


## The classes of shapes that the tiles of each layer use.
func _tile_shapes(level: Node) -> Dictionary:
	var matches := {}
	for layer: TileMapLayer in level.find_children("*", "TileMapLayer", true, false):
		var kinds := []
		for cell in layer.get_used_cells():
			var data := layer.get_cell_tile_data(cell)
			var tiles := layer.tile_set
			if layer.collision_enabled and tiles.get_physics_layers_count() > 0:
				if data.get_collision_polygons_count(0) > 0 and not kinds.has("collision"):
					kinds.append("collision")
			if layer.occlusion_enabled and tiles.get_occlusion_layers_count() > 0:
				if data.get_occluder_polygons_count(0) > 0 and not kinds.has("occlusion"):
					kinds.append("occlusion")
			if layer.navigation_enabled and tiles.get_navigation_layers_count() > 0:
				if data.get_navigation_polygon(0) != null and not kinds.has("navigation"):
					kinds.append("navigation")
		kinds.sort()
		matches[str(level.get_path_to(layer))] = kinds
	return matches


func _paths(question: Dictionary) -> Array:
	var map := _tree.root.find_world_2d().navigation_map
	var limit := int(question.get("path_search_max_polygons", 0))
	# Navigation is built in physics frames here, not in the background: see `new_game`.
	for frame in SETTLED_FRAMES:
		await _tree.physics_frame
	var paths := []
	for pair in question.pairs:
		var corners := []
		for corner in _path(map, pair, limit):
			corners.append([corner.x, corner.y])
		paths.append(corners)
	return paths


func _path(map: RID, pair: Array, limit: int) -> PackedVector2Array:
	var start := Vector2(pair[0], pair[1])
	var target := Vector2(pair[2], pair[3])
	if limit == 0:
		return NavigationServer2D.map_get_path(map, start, target, true)
	var query := NavigationPathQueryParameters2D.new()
	query.map = map
	query.start_position = start
	query.target_position = target
	query.path_search_max_polygons = limit
	var result := NavigationPathQueryResult2D.new()
	NavigationServer2D.query_path(query, result)
	return result.path
