"""The node that opens the chunks of a large level while the game runs, and its script.

The script is built into the scene, so that it works without a plugin. It is a child of the root:
a scene that inherits the level can have a script of its own on the root.
"""

from __future__ import annotations

from exporter.formats.godot.nodes import Node
from exporter.formats.godot.values import ExternalResource, SubResource, Value, Vector2, Vector2i

OVERVIEW = "overview"

SCRIPT = """\
extends Node2D
## Opens the chunks of the level near the camera and near every node of the group `chunk_viewers`.
##
## What these see or touch is opened at once, what is near in the background; what is far away is
## closed, and changes made to it are lost: make them again when `chunk_opened` is emitted.

## A chunk has been added, with its tiles, collision, occlusion and navigation.
signal chunk_opened(chunk: Node2D)
## A chunk is about to be removed.
signal chunk_closing(chunk: Node2D)

const VIEWERS := &"chunk_viewers"

## How far around what is seen chunks are opened in the background, in pixels.
@export var margin := 1024.0
## How far around a node of the group `chunk_viewers` everything is open, in pixels.
@export var viewer_reach := 256.0
## At most so many chunks are open. When more are in view, the overview shows the rest.
@export var most_open := 48

@export_group("As exported")
@export var chunk_side := 0
@export var chunk_count := Vector2i.ZERO
@export var tile_size := 0
@export var tile_set: TileSet
@export var chunk_file := ""

var _open: Dictionary = {}
var _loading: Dictionary = {}

@onready var _overview: Sprite2D = get_node_or_null("overview")


func _ready() -> void:
	# Before everything else moves: what stands at its place has ground under it.
	process_physics_priority = -1000
	if _overview != null:
		_overview.hide()


func _physics_process(_delta: float) -> void:
	var to_view := get_global_transform_with_canvas()
	var seen: Array[Rect2] = [to_view.affine_inverse() * get_viewport_rect()]
	for viewer in get_tree().get_nodes_in_group(VIEWERS):
		if viewer is Node2D:
			seen.append(Rect2(to_local(viewer.global_position), Vector2.ZERO).grow(viewer_reach))
	var needed := _chunks_in(seen, 0.0)
	if _overview != null:
		_overview.visible = needed.size() > most_open
	needed = needed.slice(0, most_open)
	for place in needed:
		if not _open.has(place):
			_add(place, _load_now(place))
	var wanted := _chunks_in(seen, margin).slice(0, most_open)
	var kept := _chunks_in(seen, margin * 1.5).slice(0, most_open)
	for place: Vector2i in _open.keys():
		if not kept.has(place) and not needed.has(place):
			_close(place)
	_load_in_background(wanted)


## Return the chunk that has a cell of the level, or null if it is not open.
func chunk_at(cell: Vector2i) -> Node2D:
	return _open.get(cell / chunk_side)


## Open the chunks around a place of the level at once, such as the one where a player will appear.
func open_around(place: Vector2) -> void:
	var areas: Array[Rect2] = [Rect2(place, Vector2.ZERO).grow(viewer_reach)]
	for chunk in _chunks_in(areas, 0.0):
		if not _open.has(chunk):
			_add(chunk, _load_now(chunk))


## The chunks that touch some of the areas, those nearest to the middle of one first.
func _chunks_in(areas: Array[Rect2], more: float) -> Array[Vector2i]:
	var length := float(chunk_side * tile_size)
	var half := Vector2(0.5, 0.5)
	var end := chunk_count - Vector2i.ONE
	var distances: Dictionary = {}
	for area in areas:
		var middle := area.get_center()
		var grown := area.grow(more)
		var first := Vector2i((grown.position / length).floor()).clamp(Vector2i.ZERO, chunk_count)
		var last := Vector2i((grown.end / length).floor()).clamp(-Vector2i.ONE, end)
		for y in range(first.y, last.y + 1):
			for x in range(first.x, last.x + 1):
				var place := Vector2i(x, y)
				var distance := middle.distance_squared_to((Vector2(place) + half) * length)
				distances[place] = minf(distance, distances.get(place, INF))
	var places: Array[Vector2i] = []
	places.assign(distances.keys())
	places.sort_custom(func(a: Vector2i, b: Vector2i) -> bool: return distances[a] < distances[b])
	return places


func _path(place: Vector2i) -> String:
	return tile_set.resource_path.get_base_dir().path_join(chunk_file % [place.x, place.y])


func _load_now(place: Vector2i) -> PackedScene:
	if _loading.erase(place):
		return ResourceLoader.load_threaded_get(_path(place))
	return load(_path(place))


## One chunk at a time is loaded, and added in a frame of its own.
func _load_in_background(wanted: Array[Vector2i]) -> void:
	for place: Vector2i in _loading.keys():
		var status := ResourceLoader.load_threaded_get_status(_path(place))
		if status == ResourceLoader.THREAD_LOAD_IN_PROGRESS:
			return
		var scene := _load_now(place)
		if wanted.has(place):
			_add(place, scene)
		return
	for place in wanted:
		if not _open.has(place):
			_loading[place] = true
			ResourceLoader.load_threaded_request(_path(place), "PackedScene")
			return


func _add(place: Vector2i, scene: PackedScene) -> void:
	if scene == null:
		# The loader has said why; the chunk is not asked for again.
		_open[place] = null
		return
	var chunk: Node2D = scene.instantiate()
	_open[place] = chunk
	add_child(chunk)
	chunk_opened.emit(chunk)


func _close(place: Vector2i) -> void:
	var chunk: Variant = _open[place]
	_open.erase(place)
	if is_instance_valid(chunk):
		chunk_closing.emit(chunk)
		chunk.queue_free()
"""


def chunks_node(
    name: str,
    *,
    side: int,
    grid: tuple[int, int],
    tile_size: int,
    tile_set: ExternalResource,
    overview: ExternalResource,
    overview_step: int,
    files: str,
) -> Node:
    """Return the node that opens chunks, with the picture of the level that editors show.

    Args:
        name: The node's name.
        side: Cells in a row and a column of a chunk.
        grid: How many chunks there are in a row and in a column.
        tile_size: Side of a cell in pixels.
        tile_set: The level's TileSet; chunks are in the same folder.
        overview: The picture of the whole level.
        overview_step: How many cells in a row are one of its pixels.
        files: Name of a chunk's file with `%d` for its column and row.
    """
    scale = overview_step * tile_size
    picture = Node(
        OVERVIEW,
        "Sprite2D",
        {
            "texture_filter": 1,
            "scale": Vector2(scale, scale),
            "texture": overview,
            "centered": False,
        },
    )
    properties: dict[str, Value] = {
        "script": SubResource("GDScript", {"script/source": SCRIPT}),
        "chunk_side": side,
        "chunk_count": Vector2i(*grid),
        "tile_size": tile_size,
        "tile_set": tile_set,
        "chunk_file": files,
    }
    return Node(name, "Node2D", properties, children=(picture,))
