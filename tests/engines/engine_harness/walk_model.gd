extends RefCounted
## Loads an imported model, and asks its collision at every cell and its navigation for paths.

const NEAR := 0.01
const PATIENCE_FRAMES := 600

var _tree: SceneTree = Engine.get_main_loop()


func query(arguments: Dictionary) -> Dictionary:
	var began := Time.get_ticks_usec()
	var scene: Node3D = load(arguments.scene).instantiate()
	var loaded := Time.get_ticks_usec()
	_tree.root.add_child(scene)
	for frame in 3:
		await _tree.physics_frame
	var cell: float = arguments.cell_size
	return {
		"load_ms": (loaded - began) / 1000.0,
		"heights": _heights(scene, arguments.width, arguments.height, cell),
		"faults": await _faults(scene, arguments.pairs),
		"bodies": scene.find_children("*", "StaticBody3D", true, false).size(),
		"shapes": _classes(scene, "CollisionShape3D"),
		"regions": scene.find_children("*", "NavigationRegion3D", true, false).size(),
		"lights": scene.find_children("*", "OmniLight3D", true, false).size(),
		"meshes": scene.find_children("*", "MeshInstance3D", true, false).map(_name_of),
		"objects": scene.get_node("objects").get_children().map(_object),
	}


func _name_of(node: Node) -> String:
	return node.name


## The height of what a ray hits that falls on the middle of each cell; null for nothing.
func _heights(scene: Node3D, width: int, height: int, cell: float) -> Array:
	var space := scene.get_world_3d().direct_space_state
	var heights := []
	for y in height:
		for x in width:
			var top := Vector3((x + 0.5) * cell, 100, (y + 0.5) * cell)
			var hit := space.intersect_ray(
				PhysicsRayQueryParameters3D.create(top, top + Vector3.DOWN * 200)
			)
			heights.append(hit.position.y if hit else null)
	return heights


func _faults(scene: Node3D, pairs: Array) -> Array:
	var map := scene.get_world_3d().navigation_map
	for frame in PATIENCE_FRAMES:
		if NavigationServer3D.map_get_iteration_id(map) > 0:
			if not _path(map, pairs[0]).is_empty():
				break
		await _tree.physics_frame
	var faults := []
	for pair in pairs:
		var path := _path(map, pair)
		var target := Vector3(pair[3], 0, pair[5])
		if path.is_empty() or _flat(path[-1]).distance_to(target) > NEAR:
			faults.append([pair, path.size()])
	return faults


func _path(map: RID, pair: Array) -> PackedVector3Array:
	return NavigationServer3D.map_get_path(
		map, Vector3(pair[0], pair[1], pair[2]), Vector3(pair[3], pair[4], pair[5]), true
	)


## Navigation maps lie half a cell of theirs above the ground.
func _flat(point: Vector3) -> Vector3:
	return Vector3(point.x, 0, point.z)


func _classes(scene: Node, type: String) -> Dictionary:
	var counts := {}
	for node in scene.find_children("*", type, true, false):
		var shape: String = node.shape.get_class()
		counts[shape] = counts.get(shape, 0) + 1
	return counts


func _object(node: Node3D) -> Dictionary:
	var origin := node.global_position
	return {
		"name": node.name,
		"class": node.get_class(),
		"place": [origin.x, origin.y, origin.z],
		"extras": node.get_meta("extras", {}),
	}
