extends Node2D
## A world, of which the parts around the view are there: what is solid and where one can walk in
## each of them, and tiles and occluders in chunks near the view.
##
## Parts are read by other threads and added in steps, so many in a frame as `budget` allows.
## Changes made to parts and chunks are lost when they go: make them again when `part_opened` and
## `chunk_opened` are emitted.

## All of a part has been added but for its tiles and occluders.
signal part_opened(part: Node2D)
## A part is about to be removed.
signal part_closing(part: Node2D)
## The tiles and occluders of a chunk have been added.
signal chunk_opened(chunk: Node2D)
## A chunk is about to be removed.
signal chunk_closing(chunk: Node2D)
## All around a body is there, and the body collides again: see `place`.
signal placed(body: Node2D)

# In this order up to `OPEN`.
enum { LOADING, PREPARING, OPENING, OPEN, CLOSING, ABSENT }

# Parts that are read at a time, and chunks that are prepared at a time.
const MOST_LOADING := 2
const MOST_PREPARING := 4
# A part stays until it is so much farther away than `radius`, in parts.
const RETAINED := 0.25
# How far around a body that is placed everything solid has to be there, in cells.
const ROOM := 8
const SIGHT_RULES: PackedStringArray = ["symmetric", "shadowcast", "raycast"]
const LARGEST_SIGHT := 64

## How many parts there are in each direction around the one in the middle.
@export_range(0, 16) var radius := 1
## How far around the middle parts have paths, in parts. The engine joins all polygons again
## when a part gets or loses them, which takes 1 to 2 ms of a frame for each part that has some.
@export_range(0.0, 16.0) var paths := 0.25
## The node in the middle of the loaded parts; by default the middle of the view.
@export var around: Node2D
## How long the work in a frame may take, in milliseconds. A step that was begun is finished.
@export_range(0.5, 16.0) var budget := 2.0
## How far around the view chunks are added, in pixels.
@export var margin := 512.0
## At most so many chunks are open. When more are in view, small pictures show the rest.
@export var most_open := 200
## The physics layers of everything solid.
@export_flags_2d_physics var collision_layer := 1
## The physics layers that everything solid looks at.
@export_flags_2d_physics var collision_mask := 1
## The navigation layers of everything walkable.
@export_flags_2d_navigation var navigation_layers := 1
## The lights that everything opaque stops.
@export_flags_2d_render var occluder_light_mask := 1

@export_group("As exported")
@export var parts := ""
@export var size := Vector2i.ZERO
@export var part_side := 0
@export var chunk_side := 0
@export var body_side := 0
@export var tile_size := 0
@export var tile_places: PackedByteArray
@export var sight_rule := ""
@export var sight_radius := 0
@export var see_walls := false

## How long the work of the last frame took, in milliseconds.
var last_work := 0.0

var _parts: Dictionary = {}
var _closing: Array[Part] = []
var _chunks: Dictionary = {}
var _shapes: Dictionary = {}
# Of each number source and column, then row and alternative.
var _words: PackedInt32Array
var _seen: Array[Vector2i] = []
var _near: Array[Vector2i] = []
# What `_seen` and `_near` were made from.
var _followed: Array = []
# The cells of bodies that are placed, by body.
var _placing: Dictionary = {}
# The last view, and its cell; empty if it may have changed.
var _view := PackedByteArray()
var _viewer := Vector2i.ZERO

@onready var _overviews: Node2D = $overviews
@onready var _tiles: Node2D = $tiles
@onready var _solid: Node2D = $parts


func _ready() -> void:
	# After cameras have moved.
	process_priority = 1000
	_words = tile_places.to_int32_array()
	$border.hide()


func _exit_tree() -> void:
	for chunk: Chunk in _chunks.values():
		chunk.join()
	for part: Part in _parts.values():
		if part.state == LOADING:
			ResourceLoader.load_threaded_get(part.path)
		part.join()
		if part.state < OPENING:
			part.forget()
			_parts.erase(part.coords)


func _process(_delta: float) -> void:
	var begin := Time.get_ticks_usec()
	var end := begin + int(budget * 1000.0)
	for body: Variant in _placing.keys():
		_go_on_placing(body)
	_follow()
	while Time.get_ticks_usec() < end and _step():
		pass
	last_work = (Time.get_ticks_usec() - begin) / 1000.0


## Return the part that has a cell of the world, or null if not all of it is there.
func part_at(cell: Vector2i) -> Node2D:
	@warning_ignore("integer_division")
	var part: Part = _parts.get(cell / part_side)
	return part.node if part != null and part.state == OPEN else null


## Return the chunk that has a cell of the world, or null if it is not near the view.
## Its children are the layers, with cells from (0, 0) on, and the occluders.
func chunk_at(cell: Vector2i) -> Node2D:
	@warning_ignore("integer_division")
	var chunk: Chunk = _chunks.get(cell / chunk_side)
	return chunk.node if chunk != null and chunk.is_open else null


## Return the first cell of a part or of a chunk.
func first_cell(node: Node2D) -> Vector2i:
	return Vector2i(node.position / tile_size)


## Move a body to the middle of a cell, however far, and emit `placed` when all around it is there.
## Until then it collides with nothing, and its `_physics_process` is not called. A part that
## neither the view nor `around` is near to does not come.
##
## A body that is moved by its position instead sweeps over everything between, which takes seconds.
func place(body: Node2D, cell: Vector2i) -> void:
	var previous: Placing = _placing.get(body)
	var placing := Placing.new()
	placing.cell = cell
	placing.processed = previous != null and previous.processed
	_placing[body] = placing


## Physics is not to be changed where `place` may be called from, such as signals of areas.
func _go_on_placing(body: Variant) -> void:
	if not is_instance_valid(body):
		_placing.erase(body)
		return
	var node: Node2D = body
	var placing: Placing = _placing[node]
	if not node.is_inside_tree():
		return
	if node.is_physics_processing():
		placing.processed = true
		node.set_physics_process(false)
	if not placing.moved:
		placing.moved = true
		if node is PhysicsBody2D:
			PhysicsServer2D.body_set_space(node.get_rid(), RID())
		_put(node, to_global((Vector2(placing.cell) + Vector2.ONE / 2) * tile_size))
	elif _is_ready_around(placing.cell):
		_placing.erase(node)
		# Also if it was moved meanwhile.
		_put(node, node.global_position)
		if node is PhysicsBody2D:
			PhysicsServer2D.body_set_space(node.get_rid(), node.get_world_2d().space)
		node.set_physics_process(placing.processed)
		placed.emit(node)


## Move a body without a sweep: the engine moves a static one at once, and then one that became
## kinematic.
func _put(node: Node2D, to: Vector2) -> void:
	if not node is PhysicsBody2D:
		node.global_position = to
		return
	var rid: RID = node.get_rid()
	var mode := PhysicsServer2D.body_get_mode(rid)
	PhysicsServer2D.body_set_mode(rid, PhysicsServer2D.BODY_MODE_STATIC)
	node.global_position = to
	node.force_update_transform()
	PhysicsServer2D.body_set_state(
		rid, PhysicsServer2D.BODY_STATE_TRANSFORM, node.global_transform
	)
	PhysicsServer2D.body_set_mode(rid, mode)
	node.reset_physics_interpolation()


func _is_ready_around(cell: Vector2i) -> bool:
	var area := Rect2i(cell, Vector2i.ONE).grow(ROOM).intersection(Rect2i(Vector2i.ZERO, size))
	if not area.has_area():
		return true
	@warning_ignore("integer_division")
	var last := (area.end - Vector2i.ONE) / part_side
	@warning_ignore("integer_division")
	var first := area.position / part_side
	for row in range(first.y, last.y + 1):
		for column in range(first.x, last.x + 1):
			var part: Part = _parts.get(Vector2i(column, row))
			if part == null or not part.state in [OPEN, ABSENT]:
				return false
	@warning_ignore("integer_division")
	var chunk := cell / chunk_side
	return chunk not in _seen or chunk_at(cell) != null


## Decide which parts and chunks are to be there.
func _follow() -> void:
	var view := get_global_transform_with_canvas().affine_inverse() * get_viewport_rect()
	var middle := view.get_center() if around == null else to_local(around.global_position)
	_follow_parts(middle / float(part_side * tile_size))
	_follow_chunks(view)
	var complete := _places_in(view).get_area() <= most_open
	for coords in _seen:
		var chunk: Chunk = _chunks.get(coords)
		complete = complete and chunk != null and chunk.is_open
	_overviews.visible = not complete


func _follow_chunks(view: Rect2) -> void:
	var wide := view.grow(margin)
	var wider := view.grow(margin * 2.0)
	var middle := Vector2i((view.get_center() / (chunk_side * tile_size)).round())
	var followed := [_places_in(view), _places_in(wide), _places_in(wider), middle, most_open]
	if followed == _followed:
		return
	_followed = followed
	_seen = _chunks_in(view, view)
	_near = _chunks_in(wide, view)
	var retained := {}
	for coords in _seen + _chunks_in(wider, view):
		retained[coords] = true
	for coords: Vector2i in _chunks:
		var chunk: Chunk = _chunks[coords]
		# One that was begun is finished near the view only; elsewhere it would stay half a chunk.
		var stays := retained.has(coords) if chunk.is_open else coords in _near or coords in _seen
		# One that is not wanted any more may be half removed, and is opened again afterwards.
		chunk.is_requested = chunk.is_requested and stays


func _follow_parts(middle: Vector2) -> void:
	var all := Rect2i(Vector2i.ZERO, _part_count())
	for coords: Vector2i in _parts.keys():
		var area := Rect2(coords, Vector2.ONE).grow(radius + RETAINED)
		if not area.has_point(middle):
			_close(_parts[coords])
	for part: Part in _parts.values():
		var reach := paths + RETAINED if part.has_paths else paths
		part.has_paths = Rect2(part.coords, Vector2.ONE).grow(reach).has_point(middle)
	var here := Vector2i(middle.floor())
	var nearby := Rect2i(here - Vector2i.ONE * radius, Vector2i.ONE * (2 * radius + 1))
	nearby = nearby.intersection(all)
	var loading := 0
	for part: Part in _parts.values():
		loading += int(part.state < OPENING)
	if loading >= MOST_LOADING:
		return
	var nearest := Vector2i.ZERO
	var least := INF
	for y in range(nearby.position.y, nearby.end.y):
		for x in range(nearby.position.x, nearby.end.x):
			var distance := middle.distance_squared_to(Vector2(x + 0.5, y + 0.5))
			if distance < least and not _parts.has(Vector2i(x, y)):
				nearest = Vector2i(x, y)
				least = distance
	if least < INF:
		_parts[nearest] = _begun(nearest)


func _begun(coords: Vector2i) -> Part:
	var part := Part.new()
	part.coords = coords
	# The script's path begins with that of its scene, also in scenes that inherit it.
	var script: Script = get_script()
	var folder := script.resource_path.get_slice("::", 0).get_base_dir()
	part.path = folder.path_join("%s.%d_%d.tscn" % [parts, coords.x, coords.y])
	part.cells = (size - coords * part_side).min(Vector2i.ONE * part_side)
	part.tile_size = tile_size
	if not ResourceLoader.exists(part.path):
		part.state = ABSENT
	elif ResourceLoader.load_threaded_request(part.path, "PackedScene") != OK:
		part.state = ABSENT
	return part


func _close(part: Part) -> void:
	if part.state < OPENING:
		# It cannot be stopped, and is closed when it is there.
		return
	_parts.erase(part.coords)
	if part.state == ABSENT:
		return
	if part.state == OPEN:
		_view.clear()
		part_closing.emit(part.node)
	part.state = CLOSING
	_closing.append(part)
	for chunk: Chunk in _chunks.values():
		chunk.is_requested = chunk.is_requested and chunk.part != part


## Do a little of what there is to do, the most urgent first. Return false if there is nothing.
func _step() -> bool:
	for part: Part in _parts.values():
		if part.state < OPENING and _advance(part):
			return true
	for coords in _seen:
		if _open(coords):
			return true
	for part: Part in _parts.values():
		if part.state == OPEN and part.has_paths == part.regions.is_empty() and part.polygons:
			if part.has_paths:
				_add_regions(part)
			else:
				_remove_regions(part)
			return true
	for part: Part in _parts.values():
		if part.state == OPENING:
			_add_next(part)
			return true
	for coords: Vector2i in _chunks.keys():
		var chunk: Chunk = _chunks[coords]
		if not chunk.is_requested and _close_chunk(coords, chunk):
			return true
	if not _closing.is_empty():
		_remove_next(_closing[0])
		return true
	for coords in _near:
		if _open(coords):
			return true
	return false


## Go on with a part that is being read. Return false if that has to be waited for.
func _advance(part: Part) -> bool:
	match part.state:
		LOADING:
			var status := ResourceLoader.load_threaded_get_status(part.path)
			if status == ResourceLoader.THREAD_LOAD_IN_PROGRESS:
				return false
			var scene: PackedScene = null
			if status == ResourceLoader.THREAD_LOAD_LOADED:
				scene = ResourceLoader.load_threaded_get(part.path)
			if scene == null:
				part.state = ABSENT
				return true
			part.scene = scene
			part.state = PREPARING
			part.task = WorkerThreadPool.add_task(part.prepare)
		PREPARING:
			if not WorkerThreadPool.is_task_completed(part.task):
				return false
			part.join()
			part.state = OPENING
			part.node.position = Vector2(part.coords * part_side * tile_size)
			if part.overview != null:
				part.overview.position += part.node.position
				_overviews.add_child(part.overview)
			_solid.add_child(part.node)
	return true


## Add one of the bodies of a part, at last its regions.
func _add_next(part: Part) -> void:
	if part.added < part.bodies():
		_add_body(part, part.added)
	else:
		if part.has_paths:
			_add_regions(part)
		part.state = OPEN
		_view.clear()
		part_opened.emit(part.node)
	part.added += 1


## Add or remove the regions of a part. All in one frame: after each such frame the engine makes the
## map of navigation again.
func _add_regions(part: Part) -> void:
	for polygon in part.polygons:
		var region := NavigationRegion2D.new()
		region.use_edge_connections = false
		region.navigation_layers = polygon.get_meta("layers", navigation_layers)
		region.navigation_polygon = polygon
		part.node.add_child(region)
		part.regions.append(region)


func _remove_regions(part: Part) -> void:
	for region in part.regions:
		if is_instance_valid(region):
			region.free()
	part.regions.clear()


func _add_body(part: Part, index: int) -> void:
	var first := part.body_starts[index]
	var end := part.body_starts[index + 1]
	if first == end:
		return
	var across := ceili(part.cells.x / float(body_side))
	var body := StaticBody2D.new()
	@warning_ignore("integer_division")
	body.position = Vector2(index % across, index / across) * body_side * tile_size
	body.collision_layer = collision_layer
	body.collision_mask = collision_mask
	part.node.add_child(body)
	part.solids.append(body)
	# Without a node for each of the shapes, which would take 3 KB.
	var rid := body.get_rid()
	var boxes := part.boxes
	@warning_ignore("integer_division")
	var count := boxes.size() / 4
	for at in range(first, end):
		var box := Vector2(boxes[2 * count + at], boxes[3 * count + at]) * tile_size
		if not _shapes.has(box):
			var shape := RectangleShape2D.new()
			shape.size = box
			_shapes[box] = shape
		var center := Vector2(boxes[at], boxes[count + at]) * tile_size + box / 2
		PhysicsServer2D.body_add_shape(rid, _shapes[box].get_rid(), Transform2D(0.0, center))


## Remove the regions of a part, or one of its bodies.
func _remove_next(part: Part) -> void:
	if not part.regions.is_empty():
		_remove_regions(part)
		return
	if not part.solids.is_empty():
		var body: Node = part.solids.pop_back()
		if is_instance_valid(body):
			body.free()
		return
	if part.overview != null:
		part.overview.queue_free()
	part.node.queue_free()
	_closing.erase(part)


func _part_count() -> Vector2i:
	@warning_ignore("integer_division")
	return (size + Vector2i.ONE * (part_side - 1)) / part_side


func _chunks_a_side() -> int:
	@warning_ignore("integer_division")
	return part_side / chunk_side


## Columns and rows of all chunks.
func _chunk_count() -> Vector2i:
	@warning_ignore("integer_division")
	return (size + Vector2i.ONE * (chunk_side - 1)) / chunk_side


## Do the next step to open a chunk. Return false if it is open, or has to be waited for.
func _open(coords: Vector2i) -> bool:
	var chunk: Chunk = _chunks.get(coords)
	if chunk == null:
		chunk = _prepared(coords)
		return chunk != null
	if chunk.is_open or not chunk.is_requested or not chunk.is_there():
		return false
	if chunk.node == null:
		chunk.node = Node2D.new()
		chunk.node.name = "chunk_%d_%d" % [coords.x, coords.y]
		chunk.node.position = Vector2(chunk.first * tile_size)
		_tiles.add_child(chunk.node)
		_put_in_order(chunk.node, coords)
	if chunk.added < chunk.cells.size():
		_add_layer(chunk, chunk.added)
	else:
		_add_occluders(chunk)
		chunk.is_open = true
		chunk_opened.emit(chunk.node)
	chunk.added += 1
	return true


## Let another thread prepare a chunk. Return null if that cannot be done now.
func _prepared(coords: Vector2i) -> Chunk:
	@warning_ignore("integer_division")
	var part: Part = _parts.get(coords / _chunks_a_side())
	if part == null or not part.state in [OPENING, OPEN]:
		return null
	var waiting := 0
	for other: Chunk in _chunks.values():
		waiting += int(other.task >= 0)
	if waiting >= MOST_PREPARING:
		return null
	var chunk := Chunk.new()
	chunk.part = part
	chunk.corner = coords % _chunks_a_side() * chunk_side
	chunk.first = part.coords * part_side + chunk.corner
	chunk.side = chunk_side
	chunk.index = chunk.corner / chunk_side
	chunk.words = _words
	chunk.task = WorkerThreadPool.add_task(chunk.prepare)
	_chunks[coords] = chunk
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


## Put a chunk behind the chunks right of it and below.
func _put_in_order(node: Node2D, coords: Vector2i) -> void:
	for other: Vector2i in _chunks:
		var chunk: Chunk = _chunks[other]
		if chunk.node == null or chunk.node == node:
			continue
		if other.y > coords.y or other.y == coords.y and other.x > coords.x:
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
func _close_chunk(coords: Vector2i, chunk: Chunk) -> bool:
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
	_chunks.erase(coords)
	if chunk.node != null:
		chunk.node.queue_free()
	return true


## Whether the world says who sees whom.
func has_visibility() -> bool:
	return sight_rule in SIGHT_RULES and sight_radius >= 1 and sight_radius <= LARGEST_SIGHT


## The view from a cell: one byte for each cell of a square around it, row after row, 1 where it
## is seen. The square has `2 * sight_radius + 1` cells a side. Cells of parts that are not there
## block sight. The last answer is kept until parts come or go.
##
## `changed` is for doors and walls that the game opens and closes: the result of `opaque_around`
## with other values in some cells. Such answers are not kept, and are empty if the size is another.
func visible_from(at: Vector2i, changed := PackedByteArray()) -> PackedByteArray:
	if not changed.is_empty():
		return _view_of(at, changed.duplicate())
	if _view.is_empty() or at != _viewer:
		_view = _view_of(at, opaque_around(at))
		_viewer = at
	return _view.duplicate()


## Whether `target` is seen from `at`.
func can_see(at: Vector2i, target: Vector2i) -> bool:
	var area := _area_around(at)
	if not area.has_point(target) or visible_from(at).is_empty():
		return false
	var coords := target - area.position
	return _view[coords.y * area.size.x + coords.x] == 1


## Which cells block sight in the square of `visible_from`: one byte a cell, 1 where it
## is blocked. Those outside of the world do, and those of parts that are not there.
func opaque_around(at: Vector2i) -> PackedByteArray:
	var opaque_cells := PackedByteArray()
	if not has_visibility():
		return opaque_cells
	var area := _area_around(at)
	opaque_cells.resize(area.get_area())
	opaque_cells.fill(1)
	var there := area.intersection(Rect2i(Vector2i.ZERO, size))
	if not there.has_area():
		return opaque_cells
	@warning_ignore("integer_division")
	var last := (there.end - Vector2i.ONE) / part_side
	@warning_ignore("integer_division")
	var first := there.position / part_side
	for row in range(first.y, last.y + 1):
		for column in range(first.x, last.x + 1):
			var part: Part = _parts.get(Vector2i(column, row))
			if part != null and part.state == OPEN:
				part.copy_opaque(there, part_side, area, opaque_cells)
	return opaque_cells


func _area_around(at: Vector2i) -> Rect2i:
	return Rect2i(at, Vector2i.ONE).grow(sight_radius)


func _view_of(at: Vector2i, opaque: PackedByteArray) -> PackedByteArray:
	if not has_visibility():
		push_error("%s: the world has no visibility" % name)
		return PackedByteArray()
	var area := _area_around(at)
	if opaque.size() != area.get_area():
		return PackedByteArray()
	_fill_outside(opaque, area, 1)
	var middle := Vector2i.ONE * sight_radius
	var seen := Sight.visible_from(opaque, area.size, middle, sight_radius, sight_rule, see_walls)
	_fill_outside(seen, area, 0)
	return seen


## Fill what lies outside of the world. Packed arrays are passed by reference.
func _fill_outside(cells: PackedByteArray, area: Rect2i, value: int) -> void:
	var world := Rect2i(Vector2i.ZERO, size)
	if world.encloses(area):
		return
	for index in cells.size():
		@warning_ignore("integer_division")
		var coords := Vector2i(index % area.size.x, index / area.size.x)
		if not world.has_point(area.position + coords):
			cells[index] = value


## A body that is placed.
class Placing:
	var cell: Vector2i
	var moved := false
	# Whether the body's `_physics_process` was called before.
	var processed := false


## A part, and the data read from it.
class Part:
	var coords: Vector2i
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
	func copy_opaque(there: Rect2i, side: int, area: Rect2i, opaque_cells: PackedByteArray) -> void:
		var first := coords * side
		var shared := there.intersection(Rect2i(first, cells))
		if opaque.size() * 8 < cells.x * cells.y:
			return
		for y in range(shared.position.y, shared.end.y):
			var bit := (y - first.y) * cells.x + shared.position.x - first.x
			var to := (y - area.position.y) * area.size.x + shared.position.x - area.position.x
			for x in shared.size.x:
				opaque_cells[to + x] = opaque[(bit + x) >> 3] >> ((bit + x) & 7) & 1

	func bodies() -> int:
		return maxi(body_starts.size() - 1, 0)

	func join() -> void:
		if task >= 0:
			WorkerThreadPool.wait_for_task_completion(task)
			task = -1

	# Units of a cell; the first corners; how many corners each polygon has; whether steps have 16
	# bits; the steps from each corner to the next; layers of its own, if it has some.
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
		var pieces: Array[PackedInt32Array] = []
		pieces.resize(count)
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
			pieces[index] = polygon
		var navigation := NavigationPolygon.new()
		navigation.vertices = vertices
		navigation.set("polygons", pieces)
		# It is kept with the polygon, and takes longer than all the rest.
		navigation.get_navigation_mesh()
		if data.size() > 5:
			navigation.set_meta("layers", data[5])
		return navigation


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
	var is_requested := true
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
			var expanded := area + Vector2i.ONE * more
			cells.append(_cells(entry[5], entry[6], expanded, part.cells.x + more))
		_read_rings()

	func _cells(
		wide: bool, numbers: PackedByteArray, area: Vector2i, width: int
	) -> PackedByteArray:
		var records := PackedInt32Array()
		records.resize(3 * area.x * area.y)
		var at := 0
		for y in area.y:
			var from := (corner.y + y) * width + corner.x
			for x in area.x:
				var number := numbers.decode_u16(2 * (from + x)) if wide else numbers[from + x]
				if number == 0:
					continue
				records[at] = x | y << 16
				records[at + 1] = words[2 * number - 2]
				records[at + 2] = words[2 * number - 1]
				at += 3
		if at == 0:
			return PackedByteArray()
		# Two bytes say which form it has.
		var bytes := PackedByteArray([0, 0])
		bytes.append_array(records.slice(0, at).to_byte_array())
		return bytes

	func _read_rings() -> void:
		if part.chunk_rings.is_empty():
			return
		var across := ceili(part.cells.x / float(side))
		var number := index.y * across + index.x
		@warning_ignore("integer_division")
		var total := part.corners.size() / 2
		for ring in range(part.chunk_rings[number], part.chunk_rings[number + 1]):
			var points := PackedVector2Array()
			for at in range(part.ring_starts[ring], part.ring_starts[ring + 1]):
				points.append(Vector2(part.corners[at], part.corners[total + at]) * part.tile_size)
			rings.append(points)
