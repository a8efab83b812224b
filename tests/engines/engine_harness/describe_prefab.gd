extends RefCounted
## Describes scenes as Unity's prefab model does: names, the number of the sheet in every cell, the
## cells that boxes fill, and objects with their properties.


func query(scenes: Array) -> Dictionary:
	var answers := {}
	for path: String in scenes:
		var root: Node2D = load(path).instantiate()
		var children := []
		for child: Node2D in root.get_children():
			children.append(_child(child))
		answers[path] = {"name": root.name, "meta": _meta(root), "children": children}
		root.free()
	return answers


func _child(node: Node2D) -> Dictionary:
	var reported := {"name": node.name, "class": node.get_class(), "meta": _meta(node)}
	var squares: Array = [node] if node is TileMapLayer else []
	squares += node.get_children().filter(func(child: Node) -> bool: return child is TileMapLayer)
	if not squares.is_empty():
		reported["cells"] = squares.map(_cells).reduce(func(all: Array, some: Array) -> Array: return all + some)
		reported["solid_tiles"] = squares[0].collision_enabled
		reported["position"] = [squares[0].position.x, squares[0].position.y]
	reported["objects"] = node.get_children().filter(func(child: Node) -> bool: return child is Marker2D).map(_object)
	reported["bodies"] = node.get_children().filter(func(child: Node) -> bool: return child is StaticBody2D).map(_body)
	return reported


# Column, row and number of every cell.
func _cells(layer: TileMapLayer) -> Array:
	var first: Vector2i = layer.get_meta("cell", Vector2i.ZERO)
	var columns: int = layer.tile_set.get_source(0).get_atlas_grid_size().x
	var reported := []
	for cell in layer.get_used_cells():
		var point := layer.get_cell_atlas_coords(cell)
		reported.append([first.x + cell.x, first.y + cell.y, point.y * columns + point.x])
	return reported


# Left, top, width and height of every box, in pixels.
func _body(body: StaticBody2D) -> Dictionary:
	var boxes := []
	for box: CollisionShape2D in body.get_children():
		var size: Vector2 = box.shape.size
		boxes.append([box.position.x - size.x / 2, box.position.y - size.y / 2, size.x, size.y])
	return {"name": body.name, "boxes": boxes}


func _object(node: Marker2D) -> Dictionary:
	return {
		"name": node.name,
		"groups": node.get_groups(),
		"position": [node.position.x, node.position.y],
		"meta": _meta(node),
	}


func _meta(node: Node) -> Dictionary:
	var values := {}
	for key in node.get_meta_list():
		var value: Variant = node.get_meta(key)
		values[key] = [value.x, value.y] if value is Vector2i else value
	return values
