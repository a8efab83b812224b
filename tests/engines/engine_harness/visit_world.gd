extends "chunk_reader.gd"
## Moves a camera through a world that keeps the parts around the view, and reads the nodes there.

const Lamps := preload("draw_by_lamps.gd")
## Frames in a row, and milliseconds, without additions or removals, after which loading is done:
## parts are read in threads, which may wait for a processor.
const SILENT := 10
const DEBOUNCE_MS := 2500
const PATIENCE := 120000

var _counts := {"part_opened": 0, "part_closing": 0, "chunk_opened": 0, "chunk_closing": 0}


func query(arguments: Dictionary) -> Array:
	var level: Node2D = load(arguments.scene).instantiate()
	var world: Node2D = level.get_node_or_null("world")
	if world == null:
		return await _draw_only(level, arguments.visits[0])
	for key: String in arguments.get("set", {}):
		world.set(key, arguments["set"][key])
	for name: String in _counts:
		world.connect(name, func(_node: Node2D) -> void: _counts[name] += 1)
	var camera := Camera2D.new()
	level.add_child(camera)
	_tree.root.add_child(level)
	var answers := []
	for visit in arguments.visits:
		camera.zoom = Vector2.ONE * visit.get("zoom", 1.0)
		await _move(camera, Vector2(visit.x, visit.y), visit.get("speed", INF))
		await _settle(world, visit)
		await _draw(visit)
		var answer := _seen(world)
		answer.bodies = _bodies(visit.get("cells", []))
		answer.paths = await _paths(visit.get("pairs", []))
		answers.append(answer)
	level.free()
	# The engine's own threads release freed objects a few frames later.
	for frame in SILENT:
		await _tree.physics_frame
	return answers


## A level that is no world has nothing to wait for.
func _draw_only(level: Node2D, visit: Dictionary) -> Array:
	var camera := Camera2D.new()
	camera.position = Vector2(visit.x, visit.y)
	level.add_child(camera)
	_tree.root.add_child(level)
	await _draw(visit)
	level.free()
	return []


## Save a picture at night, with lamps.
func _draw(visit: Dictionary) -> void:
	if not visit.has("file"):
		return
	var night := CanvasModulate.new()
	night.color = Color(0.1, 0.1, 0.1)
	_tree.root.add_child(night)
	for spot in visit.lamps:
		night.add_child(Lamps.lamp_at(Vector2(spot[0], spot[1])))
	for frame in 3:
		await _tree.process_frame
	await RenderingServer.frame_post_draw
	_tree.root.get_texture().get_image().save_png(visit.file)
	night.free()


func _move(camera: Camera2D, target: Vector2, speed: float) -> void:
	while camera.position != target:
		camera.position = camera.position.move_toward(target, speed)
		await _tree.process_frame


## Waits until the requested parts are loaded, and nothing was added or removed for some frames.
func _settle(world: Node2D, visit: Dictionary) -> void:
	var begin := Time.get_ticks_msec()
	var changed := begin
	var previous := {}
	var quiet := 0
	while Time.get_ticks_msec() - begin < PATIENCE:
		if quiet >= SILENT and Time.get_ticks_msec() - changed >= DEBOUNCE_MS:
			break
		await _tree.process_frame
		await _tree.physics_frame
		quiet = quiet + 1 if previous == _counts else 0
		previous = _counts.duplicate()
		for cell in visit.get("parts", []):
			if world.part_at(Vector2i(cell[0], cell[1])) == null:
				quiet = 0
		for chunk: Node2D in world.get_node("tiles").get_children():
			if world.chunk_at(world.first_cell(chunk)) != chunk:
				quiet = 0
		if quiet == 0:
			changed = Time.get_ticks_msec()


func _seen(world: Node2D) -> Dictionary:
	var view := world.get_global_transform_with_canvas().affine_inverse() * world.get_viewport_rect()
	var open := []
	for chunk: Node2D in world.get_node("tiles").get_children():
		open.append(_chunk(world, chunk))
	var parts := []
	for part: Node2D in world.get_node("parts").get_children():
		var cell: Vector2i = world.first_cell(part)
		if world.part_at(cell) == part:
			parts.append([cell.x, cell.y])
	return {
		"view": [view.position.x, view.position.y, view.end.x, view.end.y],
		"open": open,
		"parts": parts,
		"overview": world.get_node("overviews").visible,
		"counts": _counts.duplicate(),
	}


## Which of five points of cells are solid: the middle and close to each corner.
func _bodies(cells: Array) -> Array:
	var space := _tree.root.world_2d.direct_space_state
	var point := PhysicsPointQueryParameters2D.new()
	var matches := []
	for cell in cells:
		var solid := 0
		for inside in [[0.5, 0.5], [0.02, 0.02], [0.98, 0.02], [0.02, 0.98], [0.98, 0.98]]:
			point.position = Vector2(cell[0] + inside[0], cell[1] + inside[1]) * 16.0
			solid += int(not space.intersect_point(point, 1).is_empty())
		matches.append(solid)
	return matches


func _paths(pairs: Array) -> Array:
	if pairs.is_empty():
		return []
	for frame in 6:
		await _tree.physics_frame
	var matches := []
	for pair in pairs:
		var query := NavigationPathQueryParameters2D.new()
		query.map = _tree.root.find_world_2d().navigation_map
		query.start_position = Vector2(pair[0], pair[1])
		query.target_position = Vector2(pair[2], pair[3])
		query.navigation_layers = int(pair[4]) if pair.size() > 4 else 1
		query.set("path_search_max_polygons", 1_000_000)
		var result := NavigationPathQueryResult2D.new()
		NavigationServer2D.query_path(query, result)
		var corners := []
		for corner in result.path:
			corners.append([corner.x, corner.y])
		matches.append(corners)
	return matches
