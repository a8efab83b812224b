extends "chunk_reader.gd"
## Moves a camera over a level that adds its tiles near the view, and reads the nodes there.

const FRAMES := 30

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
		open.append(_chunk(chunks, chunk))
	return {
		"view": [view.position.x, view.position.y, view.end.x, view.end.y],
		"open": open,
		"overview": chunks.get_node("overview").visible,
		"opened": _opened,
		"closing": _closing,
	}
