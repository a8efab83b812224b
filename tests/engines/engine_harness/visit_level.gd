extends RefCounted
## Moves a camera over a level that adds its tiles near the view, and reads the nodes there.

const FRAMES := 30

var _tree: SceneTree = Engine.get_main_loop()
var _opened := 0
var _closing := 0


func query(arguments: Dictionary) -> Array:
	var level: Node2D = load(arguments.scene).instantiate()
	var chunks := level.get_node("chunks")
	chunks.chunk_opened.connect(func(_chunk: Node2D) -> void: _opened += 1)
	chunks.chunk_closing.connect(func(_chunk: Node2D) -> void: _closing += 1)
	var camera := Camera2D.new()
	level.add_child(camera)
	_tree.root.add_child(level)
	var answers := []
	for visit in arguments.visits:
		camera.position = Vector2(visit.x, visit.y)
		camera.zoom = Vector2.ONE * visit.zoom
		# The camera moves at the end of a frame, and each frame adds a chunk beyond the view.
		for frame in FRAMES:
			await _tree.process_frame
		answers.append(_seen(chunks))
	level.free()
	return answers


func _seen(chunks: Node2D) -> Dictionary:
	var view := chunks.get_global_transform_with_canvas().affine_inverse() * chunks.get_viewport_rect()
	var open := []
	for chunk in chunks.get_children():
		if not chunk.name.begins_with("chunk_"):
			continue
		var first: Vector2i = chunks.first_cell(chunk)
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
		var known: bool = chunks.chunk_at(first) == chunk
		open.append({"first": [first.x, first.y], "layers": layers, "rings": rings, "known": known})
	return {
		"view": [view.position.x, view.position.y, view.end.x, view.end.y],
		"open": open,
		"overview": chunks.get_node("overview").visible,
		"opened": _opened,
		"closing": _closing,
	}
