extends RefCounted
## Asks for paths through navigation regions made of given polygons.

const NEAR := 0.01
const PATIENCE_FRAMES := 1800
const CALM_FRAMES := 20

var _query := NavigationPathQueryParameters2D.new()
var _result := NavigationPathQueryResult2D.new()
var _limit := 0
var _tree: SceneTree = Engine.get_main_loop()


func query(arguments: Dictionary) -> Dictionary:
	await _tree.process_frame
	var map := _tree.root.find_world_2d().navigation_map
	_query.map = map
	_limit = int(arguments.get("path_search_max_polygons", 0))
	if _limit > 0:
		_query.path_search_max_polygons = _limit
	if arguments.has("edge_connection_margin"):
		NavigationServer2D.map_set_edge_connection_margin(map, arguments.edge_connection_margin)
	var polygons := 0
	for region in arguments.regions:
		polygons += region.starts.size() - 1
		var node := _region(region)
		node.use_edge_connections = arguments.get("use_edge_connections", true)
		_tree.root.add_child(node)
	var began := Time.get_ticks_usec()
	await _until_usable(map, polygons, arguments.pairs[0])
	var usable := Time.get_ticks_usec()
	await _until_settled(map)
	var settled := Time.get_ticks_usec()
	var faults := []
	var points := []
	var arrived := 0
	for pair in arguments.pairs:
		var start := Vector2(pair[0], pair[1])
		var target := Vector2(pair[2], pair[3])
		var path := _path(map, start, target)
		for point in path:
			points.append([point.x, point.y])
		if path.is_empty() or path[-1].distance_to(target) > NEAR:
			faults.append([str(start), str(target), path.size()])
		elif path[0].distance_to(start) > NEAR:
			faults.append([str(start), str(target), str(path[0])])
		else:
			arrived += 1
	var done := Time.get_ticks_usec()
	return {
		"arrived": arrived,
		"faults": faults.slice(0, 5),
		"points": points,
		"usable_ms": (usable - began) / 1000.0,
		"query_ms": (done - settled) / 1000.0 / arguments.pairs.size(),
		"polygons": _count(NavigationServer2D.INFO_POLYGON_COUNT),
		"merged": _count(NavigationServer2D.INFO_EDGE_MERGE_COUNT),
		"connections": _count(NavigationServer2D.INFO_EDGE_CONNECTION_COUNT),
	}


func _region(given: Dictionary) -> NavigationRegion2D:
	var polygon := NavigationPolygon.new()
	var vertices := PackedVector2Array()
	for index in range(0, given.vertices.size(), 2):
		vertices.append(Vector2(given.vertices[index], given.vertices[index + 1]))
	polygon.vertices = vertices
	var corners := PackedInt32Array(given.corners)
	for index in given.starts.size() - 1:
		polygon.add_polygon(corners.slice(given.starts[index], given.starts[index + 1]))
	var region := NavigationRegion2D.new()
	region.navigation_polygon = polygon
	return region


## Wait until the map knows all polygons and a first path arrives.
func _until_usable(map: RID, polygons: int, pair: Array) -> void:
	var target := Vector2(pair[2], pair[3])
	for frame in PATIENCE_FRAMES:
		await _tree.physics_frame
		if _count(NavigationServer2D.INFO_POLYGON_COUNT) < polygons:
			continue
		var path := _path(map, Vector2(pair[0], pair[1]), target)
		if not path.is_empty() and path[-1].distance_to(target) < NEAR:
			return


## Wait until the map, which is built in the background, has not changed for a while.
func _until_settled(map: RID) -> void:
	var last := -1
	while last != NavigationServer2D.map_get_iteration_id(map):
		last = NavigationServer2D.map_get_iteration_id(map)
		for frame in CALM_FRAMES:
			await _tree.physics_frame


func _path(map: RID, start: Vector2, target: Vector2) -> PackedVector2Array:
	if _limit == 0:
		return NavigationServer2D.map_get_path(map, start, target, true)
	_query.start_position = start
	_query.target_position = target
	NavigationServer2D.query_path(_query, _result)
	return _result.path


func _count(kind: NavigationServer2D.ProcessInfo) -> int:
	return NavigationServer2D.get_process_info(kind)
