extends Node2D
## Collision and navigation of a whole large level, and its tiles and occluders near the view.
##
## Chunks of tiles that are far from the view are removed. Changes made to one are lost then: make
## them again when `chunk_opened` is emitted.

## The tiles and occluders of a chunk have been added.
signal chunk_opened(chunk: Node2D)
## A chunk is about to be removed.
signal chunk_closing(chunk: Node2D)

## The physics layers of everything solid.
@export_flags_2d_physics var collision_layer := 1
## The physics layers that everything solid looks at.
@export_flags_2d_physics var collision_mask := 1
## The navigation layers of everything walkable.
@export_flags_2d_navigation var navigation_layers := 1
## The lights that everything opaque stops.
@export_flags_2d_render var occluder_light_mask := 1
## How far around the view chunks are added, one in a frame, in pixels.
@export var margin := 512.0
## At most so many chunks are open. When more are in view, a small picture shows the rest.
@export var most_open := 64

@export_group("As exported")
@export var chunk_side := 0
@export var size := Vector2i.ZERO
@export var tile_size := 0
@export var columns := 0
@export var tile_places: PackedByteArray
@export var tile_set: TileSet
@export var chunks: Array
@export var solids: Array
@export var regions: Array

var _open: Dictionary = {}
var _shapes: Dictionary = {}

@onready var _overview: Sprite2D = $overview
@onready var _layers: Node2D = $layers


func _ready() -> void:
	# After cameras have moved.
	process_priority = 1000
	_overview.hide()
	for index: int in solids.size():
		_add_body(index)
	for data: PackedByteArray in regions:
		_add_region(data)
	_follow_view()


func _process(_delta: float) -> void:
	_follow_view()


## Return the chunk that has a cell of the level, or null if it is not near the view.
## Its children are the layers, with cells from (0, 0) on, and the occluders.
func chunk_at(cell: Vector2i) -> Node2D:
	@warning_ignore("integer_division")
	return _open.get(cell / chunk_side)


## Return the first cell of a chunk.
func first_cell(chunk: Node2D) -> Vector2i:
	return Vector2i(chunk.position / tile_size)


func _chunk_count() -> Vector2i:
	@warning_ignore("integer_division")
	return (size + Vector2i.ONE * (chunk_side - 1)) / chunk_side


func _unpacked(data: PackedByteArray) -> Variant:
	var length := data.decode_u32(0)
	return bytes_to_var(data.slice(4).decompress(length, FileAccess.COMPRESSION_DEFLATE))


func _add_body(index: int) -> void:
	var boxes: PackedByteArray = _unpacked(solids[index])
	if boxes.is_empty():
		return
	var width := _chunk_count().x
	var body := StaticBody2D.new()
	@warning_ignore("integer_division")
	body.position = Vector2(index % width, index / width) * chunk_side * tile_size
	body.collision_layer = collision_layer
	body.collision_mask = collision_mask
	add_child(body)
	# Without a node for each of the shapes, which would take 3 KB.
	var rid := body.get_rid()
	for at: int in range(0, boxes.size(), 4):
		var box := Vector2(boxes[at + 2], boxes[at + 3]) * tile_size
		if not _shapes.has(box):
			var shape := RectangleShape2D.new()
			shape.size = box
			_shapes[box] = shape
		var middle := Vector2(boxes[at], boxes[at + 1]) * tile_size + box / 2
		PhysicsServer2D.body_add_shape(rid, _shapes[box].get_rid(), Transform2D(0.0, middle))


func _add_region(data: PackedByteArray) -> void:
	var parts: Array = _unpacked(data)
	var corners: PackedInt32Array = parts[1]
	var starts: PackedInt32Array = parts[2]
	var polygons: Array[PackedInt32Array] = []
	polygons.resize(starts.size() - 1)
	for index: int in polygons.size():
		polygons[index] = corners.slice(starts[index], starts[index + 1])
	var polygon := NavigationPolygon.new()
	polygon.vertices = parts[0]
	polygon.set("polygons", polygons)
	var region := NavigationRegion2D.new()
	region.use_edge_connections = false
	region.navigation_layers = navigation_layers
	region.navigation_polygon = polygon
	add_child(region)


func _follow_view() -> void:
	var view := get_global_transform_with_canvas().affine_inverse() * get_viewport_rect()
	_overview.visible = _places_in(view).get_area() > most_open
	var seen := _chunks_in(view, view)
	var near := _chunks_in(view.grow(margin), view)
	var retained := _chunks_in(view.grow(margin * 2.0), view)
	for coords: Vector2i in _open.keys():
		if not retained.has(coords) and not seen.has(coords):
			_close(coords)
	for coords: Vector2i in seen:
		if not _open.has(coords):
			_add_chunk(coords)
	for coords: Vector2i in near:
		if not _open.has(coords):
			_add_chunk(coords)
			return


## Columns and rows of the chunks that touch an area.
func _places_in(area: Rect2) -> Rect2i:
	var side := float(chunk_side * tile_size)
	var all := Rect2i(Vector2i.ZERO, _chunk_count())
	var limit := Vector2(all.end)
	var first := Vector2i((area.position / side).floor().clamp(Vector2.ZERO, limit))
	var end := Vector2i((area.end / side).floor().clamp(-Vector2.ONE, limit)) + Vector2i.ONE
	return Rect2i(first, (end - first).max(Vector2i.ZERO)).intersection(all)


## The chunks that touch an area; of too many, those nearest to the middle of the view.
func _chunks_in(area: Rect2, view: Rect2) -> Array[Vector2i]:
	var middle := view.get_center() / float(chunk_side * tile_size) - Vector2(0.5, 0.5)
	var touched := _places_in(area)
	if touched.get_area() > most_open:
		touched = _around(middle, touched)
	var places: Array[Vector2i] = []
	for y: int in range(touched.position.y, touched.end.y):
		for x: int in range(touched.position.x, touched.end.x):
			places.append(Vector2i(x, y))
	if places.size() > most_open:
		places.sort_custom(
			func(a: Vector2i, b: Vector2i) -> bool:
				return middle.distance_squared_to(a) < middle.distance_squared_to(b)
		)
	return places.slice(0, most_open)


## A part of the touched chunks that has the nearest ones, so that not all need to be compared.
func _around(middle: Vector2, touched: Rect2i) -> Rect2i:
	# The nearest are a disc or, at the border of the level, half of one or a strip.
	var wide := ceili(1.6 * sqrt(most_open)) + 2
	@warning_ignore("integer_division")
	var strip := Vector2i(most_open / touched.size.y + 3, most_open / touched.size.x + 3)
	var retained := touched.size.min(strip.max(Vector2i(wide, wide)))
	@warning_ignore("integer_division")
	var first := Vector2i(middle.round()).clamp(touched.position, touched.end) - retained / 2
	return Rect2i(first.clamp(touched.position, touched.end - retained), retained)


func _add_chunk(coords: Vector2i) -> void:
	var parts: Array = _unpacked(chunks[coords.y * _chunk_count().x + coords.x])
	var cells := (size - coords * chunk_side).min(Vector2i.ONE * chunk_side)
	var chunk := Node2D.new()
	chunk.name = "chunk_%d_%d" % [coords.x, coords.y]
	chunk.position = Vector2(coords * chunk_side * tile_size)
	for index: int in parts[0].size():
		var numbers: PackedByteArray = parts[0][index]
		var layer: TileMapLayer = _layers.get_child(index).duplicate()
		# Pictures between the cells are one more in each direction.
		var between := numbers.size() > 2 * cells.x * cells.y
		_set_cells(layer, numbers, cells.x + int(between))
		chunk.add_child(layer)
		if between:
			_clip(layer, coords, cells)
	_add_occluders(chunk, parts[1], parts[2])
	_open[coords] = chunk
	add_child(chunk)
	_put_in_order(chunk, coords)
	chunk_opened.emit(chunk)


func _set_cells(layer: TileMapLayer, numbers: PackedByteArray, width: int) -> void:
	@warning_ignore("integer_division")
	for at: int in numbers.size() / 2:
		var number := numbers.decode_u16(2 * at) - 1
		if number >= 0:
			@warning_ignore("integer_division")
			_set_cell(layer, Vector2i(at % width, at / width), number)


# Numbers count along the rows of the only source, or `tile_places` has source, column, row and
# alternative of each.
func _set_cell(layer: TileMapLayer, cell: Vector2i, number: int) -> void:
	if columns > 0:
		@warning_ignore("integer_division")
		layer.set_cell(cell, 0, Vector2i(number % columns, number / columns))
		return
	var at := 8 * number
	var coords := Vector2i(tile_places.decode_u16(at + 2), tile_places.decode_u16(at + 4))
	layer.set_cell(cell, tile_places.decode_u16(at), coords, tile_places.decode_u16(at + 6))


## Hide what pictures between the cells have in chunks above and left of theirs, which show it
## themselves, below layers that lie above it.
func _clip(layer: TileMapLayer, coords: Vector2i, cells: Vector2i) -> void:
	var half := -layer.position.x
	var left := 0.0 if coords.x > 0 else half
	var top := 0.0 if coords.y > 0 else half
	var area := Rect2(-layer.position, cells * tile_size)
	area = area.grow_individual(left, top, half, half)
	RenderingServer.canvas_item_set_custom_rect(layer.get_canvas_item(), true, area)
	RenderingServer.canvas_item_set_clip(layer.get_canvas_item(), true)


## Put a chunk behind the chunks right of it and below.
func _put_in_order(chunk: Node2D, coords: Vector2i) -> void:
	for other: Vector2i in _open:
		if other.y > coords.y or other.y == coords.y and other.x > coords.x:
			move_child(chunk, mini(chunk.get_index(), _open[other].get_index()))


func _add_occluders(
	chunk: Node2D, corners: PackedByteArray, lengths: PackedInt32Array
) -> void:
	var at := 0
	for length: int in lengths:
		var ring := PackedVector2Array()
		for corner: int in length:
			ring.append(Vector2(corners[at], corners[at + 1]) * tile_size)
			at += 2
		var polygon := OccluderPolygon2D.new()
		polygon.polygon = ring
		var occluder := LightOccluder2D.new()
		occluder.occluder = polygon
		occluder.sdf_collision = false
		occluder.occluder_light_mask = occluder_light_mask
		chunk.add_child(occluder)


func _close(coords: Vector2i) -> void:
	var chunk: Node2D = _open[coords]
	_open.erase(coords)
	chunk_closing.emit(chunk)
	chunk.queue_free()
