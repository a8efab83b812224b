extends CharacterBody2D
## A hero that walks with the arrow keys. The walls of the exported level stop it.

## Pixels per second.
@export var speed := 90.0


func _ready() -> void:
	global_position = _start()
	# Only games that run from the editor have it: the level was exported again.
	var live := get_node_or_null("/root/LevelExporterLive")
	if live != null:
		live.connect("level_swapped", _on_level_swapped)


func _physics_process(_delta: float) -> void:
	velocity = Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down") * speed
	move_and_slide()


func _on_level_swapped(_level: Node) -> void:
	for node in get_parent().find_children("*", "TileMapLayer", true, false):
		var layer := node as TileMapLayer
		var cell := layer.local_to_map(layer.to_local(global_position))
		var tile := layer.get_cell_tile_data(cell)
		if tile != null and not tile.get_custom_data("walkable"):
			global_position = _start()  # the hero would be inside of a new wall
			return


## Returns the position of the level's object `start`, or of a cell that can be walked on.
func _start() -> Vector2:
	var start := get_tree().get_first_node_in_group("start") as Node2D
	if start != null:
		return start.global_position
	for node in get_parent().find_children("*", "TileMapLayer", true, false):
		var layer := node as TileMapLayer
		for cell in layer.get_used_cells():
			if layer.get_cell_tile_data(cell).get_custom_data("walkable"):
				return layer.to_global(layer.map_to_local(cell))
	return global_position
