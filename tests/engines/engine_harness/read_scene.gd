extends RefCounted
## Prints everything in a scene, for comparison with the level it was exported from.
## Asked with {"scenes": [paths]}; answers with a Dictionary by path.


func query(arguments: Dictionary) -> Dictionary:
	var answers := {}
	for path: String in arguments["scenes"]:
		var packed: PackedScene = load(path)
		var root := packed.instantiate()
		answers[path] = {
			"name": root.name,
			"uid": ResourceUID.id_to_text(ResourceLoader.get_resource_uid(path)),
			"meta": _meta(root),
			"layers": _layers(root),
			"objects": _objects(root),
		}
		root.free()
	return answers


func _layers(root: Node) -> Array:
	var layers := []
	for node: TileMapLayer in root.find_children("*", "TileMapLayer", true, false):
		layers.append(_layer(root, node))
	return layers


func _layer(root: Node, node: TileMapLayer) -> Dictionary:
	var cells := node.get_used_cells()
	# x, y, id and flags of every cell, 4 bytes each.
	var numbers := PackedInt32Array()
	var names := PackedStringArray()
	var tile_set := node.tile_set
	# Tiles of a set without such layers cannot be asked for their shapes.
	var physics := tile_set.get_physics_layers_count() > 0
	var occlusion := tile_set.get_occlusion_layers_count() > 0
	var navigation := tile_set.get_navigation_layers_count() > 0
	for cell in cells:
		var data := node.get_cell_tile_data(cell)
		var flags := 0
		flags |= 1 if data.get_custom_data("walkable") else 0
		flags |= 2 if data.get_custom_data("opaque") else 0
		flags |= 4 if physics and data.get_collision_polygons_count(0) == 1 else 0
		flags |= 8 if occlusion and data.get_occluder_polygons_count(0) == 1 else 0
		flags |= 16 if navigation and data.get_navigation_polygon(0) != null else 0
		numbers.append_array([cell.x, cell.y, int(data.get_custom_data("id")), flags])
		names.append(data.get_custom_data("name"))
	return {
		"name": node.name,
		"path": str(root.get_path_to(node)),
		"cells": Marshalls.raw_to_base64(numbers.to_byte_array()),
		"names": names,
		"position": [node.position.x, node.position.y],
		"tile_set": tile_set.resource_path,
		"tile_size": [tile_set.tile_size.x, tile_set.tile_size.y],
		"corners": _corners(node, cells),
	}


# The corners of the first collision polygon there is, which all tiles share.
func _corners(node: TileMapLayer, cells: Array[Vector2i]) -> Array:
	if node.tile_set.get_physics_layers_count() == 0:
		return []
	for cell in cells:
		var data := node.get_cell_tile_data(cell)
		if data.get_collision_polygons_count(0) > 0:
			var corners := []
			for point in data.get_collision_polygon_points(0, 0):
				corners.append([point.x, point.y])
			return corners
	return []


func _objects(root: Node) -> Array:
	var objects := []
	for node: Node2D in root.find_children("*", "Node2D", true, false):
		if not node is Marker2D and not node.has_meta("object"):
			continue
		objects.append(
			{
				"name": node.name,
				"position": [node.position.x, node.position.y],
				"groups": node.get_groups(),
				"meta": _meta(node),
			}
		)
	return objects


# Vectors as lists; JSON has no other form for them.
func _meta(node: Node) -> Dictionary:
	var values := {}
	for key in node.get_meta_list():
		values[key] = _plain(node.get_meta(key))
	return values


func _plain(value: Variant) -> Variant:
	if value is Vector2i:
		return [value.x, value.y]
	if value is Dictionary:
		var plain := {}
		for key: Variant in value:
			plain[key] = _plain(value[key])
		return plain
	return value
