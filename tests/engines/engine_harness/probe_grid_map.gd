extends RefCounted
## Loads a GridMap, reads its cells, and lets rays fall on it.

var _tree: SceneTree = Engine.get_main_loop()


func query(arguments: Dictionary) -> Dictionary:
	var map: GridMap = load(arguments.scene).instantiate()
	_tree.root.add_child(map)
	for frame in 3:
		await _tree.physics_frame
	var cells := map.get_used_cells().map(func(cell: Vector3i) -> Array: return _cell(map, cell))
	var heights: Array = arguments.points.map(
		func(point: Array) -> Variant: return _height(map, point)
	)
	map.free()
	return {"cells": cells, "heights": heights}


func _cell(map: GridMap, cell: Vector3i) -> Array:
	return [cell.x, cell.y, cell.z, map.mesh_library.get_item_name(map.get_cell_item(cell))]


## The height of what a ray hits that falls on a point x, z; null for nothing.
func _height(map: GridMap, point: Array) -> Variant:
	var top := Vector3(point[0], 100, point[1])
	var question := PhysicsRayQueryParameters3D.create(top, top + Vector3.DOWN * 200)
	var hit := map.get_world_3d().direct_space_state.intersect_ray(question)
	return hit.position.y if hit else null
