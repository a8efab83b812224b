extends Node2D
## Walks a player through an exported level: Q W E A D Z X C (S for south too), N for the next one.
##
## Everything it knows of a level comes from the exported scene: cells from the TileMapLayers,
## whether a cell can be walked from the TileSet's custom data, places from the marker nodes.

const LEVELS := ["cavern", "labyrinth", "archipelago"]
const STEPS := {
	KEY_Q: Vector2i(-1, -1), KEY_W: Vector2i(0, -1), KEY_E: Vector2i(1, -1),
	KEY_A: Vector2i(-1, 0), KEY_D: Vector2i(1, 0),
	KEY_Z: Vector2i(-1, 1), KEY_X: Vector2i(0, 1), KEY_S: Vector2i(0, 1), KEY_C: Vector2i(1, 1),
}

var level: Node2D
var ground: TileMapLayer
var cell := Vector2i.ZERO
var current := 0
var player := Polygon2D.new()
var camera := Camera2D.new()


func _ready() -> void:
	player.polygon = PackedVector2Array([Vector2(-5, 6), Vector2(0, -7), Vector2(5, 6)])
	player.color = Color.GOLD
	player.z_index = 10
	player.add_child(camera)
	add_child(player)
	camera.zoom = Vector2(2, 2)
	open(LEVELS[current])


func _unhandled_key_input(event: InputEvent) -> void:
	if not event.is_pressed():
		return
	var key: int = (event as InputEventKey).keycode
	if key == KEY_N:
		current = (current + 1) % LEVELS.size()
		open(LEVELS[current])
	elif STEPS.has(key) and walkable(cell + STEPS[key]):
		stand(cell + STEPS[key])


## Show a level by name and put the player on its stairs, or on the first free cell.
func open(level_name: String) -> void:
	var path := "res://levels/%s.tscn" % level_name
	if not ResourceLoader.exists(path):
		push_warning("%s is not there yet: run `exporter export`" % path)
		return
	if level:
		level.queue_free()
	level = (load(path) as PackedScene).instantiate()
	add_child(level)
	for child in level.find_children("*", "TileMapLayer", true, false):
		ground = child
		break
	var start := first_free_cell()
	for marker in level.find_children("stairs_up*", "Marker2D", true, false):
		start = ground.local_to_map((marker as Marker2D).position)
	stand(start)


func stand(where: Vector2i) -> void:
	cell = where
	player.position = ground.map_to_local(cell)


func walkable(where: Vector2i) -> bool:
	var data := ground.get_cell_tile_data(where)
	return data != null and bool(data.get_custom_data("walkable"))


func first_free_cell() -> Vector2i:
	for candidate in ground.get_used_cells():
		if walkable(candidate):
			return candidate
	return Vector2i.ZERO
