extends RefCounted
## Opens a scene and reports the cost of that, and of finding paths in it.

const NEAR := 0.05
const PATIENCE_FRAMES := 3600
const CALM_FRAMES := 20

var _tree: SceneTree = Engine.get_main_loop()
var _query := NavigationPathQueryParameters2D.new()
var _result := NavigationPathQueryResult2D.new()


func query(arguments: Dictionary) -> Dictionary:
	await _tree.process_frame
	await _tree.physics_frame
	var memory := Performance.get_monitor(Performance.MEMORY_STATIC)
	var start := Time.get_ticks_usec()
	var scene: PackedScene = load(arguments.scene)
	var loaded := Time.get_ticks_usec()
	var level := scene.instantiate()
	scene = null
	_tree.root.add_child(level)
	await _tree.process_frame
	await _tree.physics_frame
	await _tree.physics_frame
	var entered := Time.get_ticks_usec()
	var answer := {
		"load_ms": (loaded - start) / 1000.0,
		"enter_ms": (entered - loaded) / 1000.0,
		"memory": Performance.get_monitor(Performance.MEMORY_STATIC) - memory,
	}
	if not arguments.pairs.is_empty():
		await _ask_for_paths(arguments, answer, loaded)
	return answer


func _ask_for_paths(arguments: Dictionary, answer: Dictionary, began: int) -> void:
	var map := _tree.root.find_world_2d().navigation_map
	_query.map = map
	if arguments.has("path_search_max_polygons"):
		_query.path_search_max_polygons = arguments.path_search_max_polygons
	for frame in PATIENCE_FRAMES:
		if not _path(arguments.pairs[0]).is_empty():
			break
		await _tree.physics_frame
	answer["usable_ms"] = (Time.get_ticks_usec() - began) / 1000.0
	var last := -1
	while last != NavigationServer2D.map_get_iteration_id(map):
		last = NavigationServer2D.map_get_iteration_id(map)
		for frame in CALM_FRAMES:
			await _tree.physics_frame
	var arrived := 0
	var settled := Time.get_ticks_usec()
	for pair in arguments.pairs:
		var path := _path(pair)
		if not path.is_empty() and path[-1].distance_to(Vector2(pair[2], pair[3])) < NEAR:
			arrived += 1
	answer["query_ms"] = (Time.get_ticks_usec() - settled) / 1000.0 / arguments.pairs.size()
	answer["arrived"] = arrived
	answer["polygons"] = NavigationServer2D.get_process_info(
		NavigationServer2D.INFO_POLYGON_COUNT
	)


func _path(pair: Array) -> PackedVector2Array:
	_query.start_position = Vector2(pair[0], pair[1])
	_query.target_position = Vector2(pair[2], pair[3])
	NavigationServer2D.query_path(_query, _result)
	return _result.path
