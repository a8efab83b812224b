"""What the script of a world's node does with chunks of tiles near the view."""

from __future__ import annotations

from exporter.formats.godot.chunks_in_view import CHUNKS_IN_VIEW

_COUNT = """\


## Columns and rows of all chunks.
func _chunk_count() -> Vector2i:
	@warning_ignore("integer_division")
	return (size + Vector2i.ONE * (chunk_side - 1)) / chunk_side


"""
_OPENING = """\
## Do the next step to open a chunk. Return false if it is open, or has to be waited for.
func _open(place: Vector2i) -> bool:
	var chunk: Chunk = _chunks.get(place)
	if chunk == null:
		chunk = _prepared(place)
		return chunk != null
	if chunk.is_open or not chunk.is_wanted or not chunk.is_there():
		return false
	if chunk.node == null:
		chunk.node = Node2D.new()
		chunk.node.name = "chunk_%d_%d" % [place.x, place.y]
		chunk.node.position = Vector2(chunk.first * tile_size)
		_tiles.add_child(chunk.node)
		_put_in_order(chunk.node, place)
	if chunk.added < chunk.cells.size():
		_add_layer(chunk, chunk.added)
	else:
		_add_occluders(chunk)
		chunk.is_open = true
		chunk_opened.emit(chunk.node)
	chunk.added += 1
	return true


## Let another thread prepare a chunk. Return null if that cannot be done now.
func _prepared(place: Vector2i) -> Chunk:
	@warning_ignore("integer_division")
	var part: Part = _parts.get(place / _chunks_a_side())
	if part == null or not part.state in [OPENING, OPEN]:
		return null
	var waiting := 0
	for other: Chunk in _chunks.values():
		waiting += int(other.task >= 0)
	if waiting >= MOST_PREPARING:
		return null
	var chunk := Chunk.new()
	chunk.part = part
	chunk.corner = place % _chunks_a_side() * chunk_side
	chunk.first = part.place * part_side + chunk.corner
	chunk.side = chunk_side
	chunk.index = chunk.corner / chunk_side
	chunk.words = _words
	chunk.task = WorkerThreadPool.add_task(chunk.prepare)
	_chunks[place] = chunk
	return chunk


func _add_layer(chunk: Chunk, index: int) -> void:
	var entry: Array = chunk.part.layers[index]
	if chunk.cells[index].is_empty():
		return
	var layer: TileMapLayer = get_node("%s/%s" % [entry[0], entry[1]]).duplicate()
	layer.name = entry[2]
	layer.show()
	if entry[3] != "":
		layer.set_meta("tile", entry[3])
	layer.position += Vector2.ONE * entry[4]
	layer.tile_map_data = chunk.cells[index]
	chunk.node.add_child(layer)
	if entry[4] != 0:
		_clip(layer, chunk)
	# Now, so that it counts for this frame's work.
	layer.update_internals()


## Hide what pictures between the cells have in chunks above and left of theirs, which show it
## themselves, below layers that lie above it.
func _clip(layer: TileMapLayer, chunk: Chunk) -> void:
	var half := -layer.position.x
	var left := 0.0 if chunk.first.x > 0 else half
	var top := 0.0 if chunk.first.y > 0 else half
	var cells := (chunk.part.cells - chunk.corner).min(Vector2i.ONE * chunk_side)
	var area := Rect2(-layer.position, cells * tile_size)
	area = area.grow_individual(left, top, half, half)
	RenderingServer.canvas_item_set_custom_rect(layer.get_canvas_item(), true, area)
	RenderingServer.canvas_item_set_clip(layer.get_canvas_item(), true)


## Put a chunk behind those that are right of it and below.
func _put_in_order(node: Node2D, place: Vector2i) -> void:
	for other: Vector2i in _chunks:
		var chunk: Chunk = _chunks[other]
		if chunk.node == null or chunk.node == node:
			continue
		if other.y > place.y or other.y == place.y and other.x > place.x:
			_tiles.move_child(node, mini(node.get_index(), chunk.node.get_index()))


func _add_occluders(chunk: Chunk) -> void:
	for ring in chunk.rings:
		var polygon := OccluderPolygon2D.new()
		polygon.polygon = ring
		var occluder := LightOccluder2D.new()
		occluder.occluder = polygon
		occluder.sdf_collision = false
		occluder.occluder_light_mask = occluder_light_mask
		chunk.node.add_child(occluder)


## Do the next step to close a chunk. Return false if it has to be waited for.
func _close_chunk(place: Vector2i, chunk: Chunk) -> bool:
	if not chunk.is_there():
		return false
	if chunk.is_open:
		chunk.is_open = false
		chunk.added = chunk.cells.size()
		chunk_closing.emit(chunk.node)
	if chunk.node != null and chunk.node.get_child_count() > 0:
		for index in mini(chunk.node.get_child_count(), 16):
			var child := chunk.node.get_child(-1)
			var has_tiles := child is TileMapLayer
			child.free()
			if has_tiles:
				break
		return true
	_chunks.erase(place)
	if chunk.node != null:
		chunk.node.queue_free()
	return true
"""
CHUNK_FUNCTIONS = _COUNT + CHUNKS_IN_VIEW + _OPENING
