"""The classes of the script of a world's node: a part and a chunk, as other threads prepare them.

What they read is written by `world_parts`.
"""

from __future__ import annotations

CLASSES = """\


## A part, and what was read of it.
class Part:
	var place: Vector2i
	var path: String
	var cells: Vector2i
	var tile_size: int
	var state := LOADING
	var task := -1
	var scene: PackedScene
	var node: Node2D
	var overview: Node2D
	var layers: Array
	var boxes: PackedByteArray
	var body_starts: PackedInt32Array
	var corners: PackedByteArray
	var ring_starts: PackedInt32Array
	var chunk_rings: PackedInt32Array
	# A bit for each cell, set where sight is blocked; empty in a world without visibility.
	var opaque: PackedByteArray
	var polygons: Array[NavigationPolygon] = []
	var solids: Array[Node] = []
	var regions: Array[Node] = []
	var has_paths := false
	var added := 0

	## In another thread: make nodes that are not in the tree yet, and unpack the rest.
	func prepare() -> void:
		node = scene.instantiate()
		scene = null
		# It is no level of its own: whoever exchanges levels passes it over.
		node.scene_file_path = ""
		overview = node.get_node_or_null("overview")
		if overview != null:
			node.remove_child(overview)
			overview.owner = null
		var data: PackedByteArray = node.get_meta("part")
		node.remove_meta("part")
		var length := data.decode_u32(0)
		var read: Array = bytes_to_var(
			data.slice(4).decompress(length, FileAccess.COMPRESSION_DEFLATE)
		)
		layers = read[0]
		boxes = read[1]
		body_starts = read[2]
		corners = read[3]
		ring_starts = read[4]
		chunk_rings = read[5]
		for index: int in read[6].size():
			polygons.append(_polygon(read[6][index]))
		opaque = read[7]

	## Free the nodes that are not in the tree yet.
	func forget() -> void:
		if node != null:
			node.free()
		if overview != null:
			overview.free()

	## Copy which cells block sight, as far as they are in this part and in an area of the world.
	func copy_opaque(there: Rect2i, side: int, area: Rect2i, found: PackedByteArray) -> void:
		var first := place * side
		var shared := there.intersection(Rect2i(first, cells))
		if opaque.size() * 8 < cells.x * cells.y:
			return
		for y in range(shared.position.y, shared.end.y):
			var bit := (y - first.y) * cells.x + shared.position.x - first.x
			var to := (y - area.position.y) * area.size.x + shared.position.x - area.position.x
			for x in shared.size.x:
				found[to + x] = opaque[(bit + x) >> 3] >> ((bit + x) & 7) & 1

	func bodies() -> int:
		return maxi(body_starts.size() - 1, 0)

	func join() -> void:
		if task >= 0:
			WorkerThreadPool.wait_for_task_completion(task)
			task = -1

	# Units of a cell; the first corners; how many corners each polygon has; whether steps have 16
	# bits; the steps from each corner to the next.
	func _polygon(data: Array) -> NavigationPolygon:
		var unit := Vector2.ONE * (tile_size / float(data[0]))
		var firsts: PackedInt32Array = data[1]
		var counts: PackedInt32Array = data[2]
		var steps: PackedByteArray = data[4]
		var width := 2 if data[3] else 1
		var count := counts.size()
		@warning_ignore("integer_division")
		var total := steps.size() / (2 * width)
		var vertices := PackedVector2Array()
		vertices.resize(total)
		var polygons_: Array[PackedInt32Array] = []
		polygons_.resize(count)
		var at := 0
		for index in count:
			var x := firsts[index]
			var y := firsts[count + index]
			var polygon := PackedInt32Array()
			polygon.resize(counts[index])
			for corner in counts[index]:
				vertices[at] = Vector2(x, y) * unit
				polygon[corner] = at
				if width == 2:
					x += steps.decode_s16(2 * at)
					y += steps.decode_s16(2 * (total + at))
				else:
					x += steps.decode_s8(at)
					y += steps.decode_s8(total + at)
				at += 1
			polygons_[index] = polygon
		var made := NavigationPolygon.new()
		made.vertices = vertices
		made.set("polygons", polygons_)
		# It is kept with the polygon, and takes longer than all the rest.
		made.get_navigation_mesh()
		return made


## Tiles and occluders of a part of a part.
class Chunk:
	var part: Part
	# Its first cell in the world and in the part, its place among the part's chunks.
	var first: Vector2i
	var corner: Vector2i
	var index: Vector2i
	var side: int
	var words: PackedInt32Array
	var task := -1
	var node: Node2D
	var is_open := false
	var is_wanted := true
	var added := 0
	# The cells of each layer as a TileMapLayer has them.
	var cells: Array[PackedByteArray] = []
	var rings: Array[PackedVector2Array] = []

	func is_there() -> bool:
		if task >= 0 and WorkerThreadPool.is_task_completed(task):
			join()
		return task < 0

	func join() -> void:
		if task >= 0:
			WorkerThreadPool.wait_for_task_completion(task)
			task = -1

	## In another thread.
	func prepare() -> void:
		var area := (part.cells - corner).min(Vector2i.ONE * side)
		for entry: Array in part.layers:
			var more := int(entry[4] != 0)
			var wanted := area + Vector2i.ONE * more
			cells.append(_cells(entry[5], entry[6], wanted, part.cells.x + more))
		_read_rings()

	func _cells(
		wide: bool, numbers: PackedByteArray, area: Vector2i, width: int
	) -> PackedByteArray:
		var found := PackedInt32Array()
		found.resize(3 * area.x * area.y)
		var at := 0
		for y in area.y:
			var from := (corner.y + y) * width + corner.x
			for x in area.x:
				var number := numbers.decode_u16(2 * (from + x)) if wide else numbers[from + x]
				if number == 0:
					continue
				found[at] = x | y << 16
				found[at + 1] = words[2 * number - 2]
				found[at + 2] = words[2 * number - 1]
				at += 3
		if at == 0:
			return PackedByteArray()
		# Two bytes say which form it has.
		var bytes := PackedByteArray([0, 0])
		bytes.append_array(found.slice(0, at).to_byte_array())
		return bytes

	func _read_rings() -> void:
		if part.chunk_rings.is_empty():
			return
		var across := ceili(part.cells.x / float(side))
		var place := index.y * across + index.x
		@warning_ignore("integer_division")
		var total := part.corners.size() / 2
		for ring in range(part.chunk_rings[place], part.chunk_rings[place + 1]):
			var points := PackedVector2Array()
			for at in range(part.ring_starts[ring], part.ring_starts[ring + 1]):
				points.append(Vector2(part.corners[at], part.corners[total + at]) * part.tile_size)
			rings.append(points)
"""
