"""The script of a world's node, which keeps the parts around the view.

It is built into the scene, so that it works without a plugin. Here is what concerns parts;
`world_chunk_script` has what concerns chunks of tiles near the view, `world_sight_script` what
concerns sight, and `world_classes` has the classes, which read what `world_parts` writes.
"""

from __future__ import annotations

from exporter.formats.godot.sight_script import SIGHT_CLASS
from exporter.formats.godot.world_chunk_script import CHUNK_FUNCTIONS
from exporter.formats.godot.world_classes import CLASSES
from exporter.formats.godot.world_sight_script import SIGHT_FUNCTIONS

_NODE = """\
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

# In this order up to `OPEN`.
enum { LOADING, PREPARING, OPENING, OPEN, CLOSING, ABSENT }

# Parts that are read at a time, and chunks that are prepared at a time.
const MOST_LOADING := 2
const MOST_PREPARING := 4
# A part stays until it is so much farther away than `radius`, in parts.
const KEPT := 0.25
const SIGHT_RULES: PackedStringArray = ["symmetric", "shadowcast", "raycast"]
const LARGEST_SIGHT := 64

## How many parts there are in each direction around the one in the middle.
@export_range(0, 16) var radius := 1
## How far around the middle parts have paths, in parts. The engine joins all polygons anew
## when a part gets or loses them, which takes 1 to 2 ms of a frame for each part that has some.
@export_range(0.0, 16.0) var paths := 0.25
## What is in the middle of the parts that are there; by default the middle of the view.
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
# What was last seen, and from where; empty if that may have changed.
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
			_parts.erase(part.place)


func _process(_delta: float) -> void:
	var begin := Time.get_ticks_usec()
	var end := begin + int(budget * 1000.0)
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


## Decide which parts and chunks are to be there.
func _follow() -> void:
	var view := get_global_transform_with_canvas().affine_inverse() * get_viewport_rect()
	var middle := view.get_center() if around == null else to_local(around.global_position)
	_follow_parts(middle / float(part_side * tile_size))
	_follow_chunks(view)
	var complete := _places_in(view).get_area() <= most_open
	for place in _seen:
		var chunk: Chunk = _chunks.get(place)
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
	var kept := {}
	for place in _seen + _chunks_in(wider, view):
		kept[place] = true
	for place: Vector2i in _chunks:
		var chunk: Chunk = _chunks[place]
		# One that was begun is finished near the view only; elsewhere it would stay half a chunk.
		var stays := kept.has(place) if chunk.is_open else place in _near or place in _seen
		# One that is not wanted any more may be half removed, and is opened anew afterwards.
		chunk.is_wanted = chunk.is_wanted and stays


func _follow_parts(middle: Vector2) -> void:
	var all := Rect2i(Vector2i.ZERO, _part_count())
	for place: Vector2i in _parts.keys():
		var area := Rect2(place, Vector2.ONE).grow(radius + KEPT)
		if not area.has_point(middle):
			_close(_parts[place])
	for part: Part in _parts.values():
		var reach := paths + KEPT if part.has_paths else paths
		part.has_paths = Rect2(part.place, Vector2.ONE).grow(reach).has_point(middle)
	var here := Vector2i(middle.floor())
	var wanted := Rect2i(here - Vector2i.ONE * radius, Vector2i.ONE * (2 * radius + 1))
	wanted = wanted.intersection(all)
	var loading := 0
	for part: Part in _parts.values():
		loading += int(part.state < OPENING)
	if loading >= MOST_LOADING:
		return
	var nearest := Vector2i.ZERO
	var least := INF
	for y in range(wanted.position.y, wanted.end.y):
		for x in range(wanted.position.x, wanted.end.x):
			var distance := middle.distance_squared_to(Vector2(x + 0.5, y + 0.5))
			if distance < least and not _parts.has(Vector2i(x, y)):
				nearest = Vector2i(x, y)
				least = distance
	if least < INF:
		_parts[nearest] = _begun(nearest)


func _begun(place: Vector2i) -> Part:
	var part := Part.new()
	part.place = place
	# The script's path begins with that of its scene, also in scenes that inherit it.
	var script: Script = get_script()
	var folder := script.resource_path.get_slice("::", 0).get_base_dir()
	part.path = folder.path_join("%s.%d_%d.tscn" % [parts, place.x, place.y])
	part.cells = (size - place * part_side).min(Vector2i.ONE * part_side)
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
	_parts.erase(part.place)
	if part.state == ABSENT:
		return
	if part.state == OPEN:
		_view.clear()
		part_closing.emit(part.node)
	part.state = CLOSING
	_closing.append(part)
	for chunk: Chunk in _chunks.values():
		chunk.is_wanted = chunk.is_wanted and chunk.part != part


## Do a little of what there is to do, the most urgent first. Return false if there is nothing.
func _step() -> bool:
	for part: Part in _parts.values():
		if part.state < OPENING and _advance(part):
			return true
	for place in _seen:
		if _open(place):
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
	for place: Vector2i in _chunks.keys():
		var chunk: Chunk = _chunks[place]
		if not chunk.is_wanted and _close_chunk(place, chunk):
			return true
	if not _closing.is_empty():
		_remove_next(_closing[0])
		return true
	for place in _near:
		if _open(place):
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
			part.node.position = Vector2(part.place * part_side * tile_size)
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
## map of navigation anew.
func _add_regions(part: Part) -> void:
	for polygon in part.polygons:
		var region := NavigationRegion2D.new()
		region.use_edge_connections = false
		region.navigation_layers = navigation_layers
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
"""

SCRIPT = f"{_NODE}{CHUNK_FUNCTIONS}{SIGHT_FUNCTIONS}{CLASSES}\n\n{SIGHT_CLASS}"
