extends RefCounted
## Reads the chunks of tiles that a level or a world has near the view.

var _tree: SceneTree = Engine.get_main_loop()


func _chunk(owner: Node2D, chunk: Node2D) -> Dictionary:
	var first: Vector2i = owner.first_cell(chunk)
	var layers := {}
	var rings := []
	for child in chunk.get_children():
		if child is TileMapLayer:
			var cells := []
			for cell: Vector2i in child.get_used_cells():
				var tile: TileData = child.get_cell_tile_data(cell)
				cells.append([cell.x, cell.y, tile.get_custom_data("id")])
			layers[str(child.name)] = cells
		else:
			var corners := []
			for corner in child.occluder.polygon:
				corners.append([corner.x, corner.y])
			rings.append(corners)
	var known: bool = owner.chunk_at(first) == chunk
	return {"first": [first.x, first.y], "layers": layers, "rings": rings, "known": known}
