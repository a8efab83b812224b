class_name Game
extends Node2D
## Opens the exported levels one after the other and shows them to the hero, the fog and the minimap.

@export var levels: PackedStringArray = ["cavern", "keep", "outpost", "labyrinth"]

var number := -1
var gold := 0
var level: Node2D
## The data of the level: sight, exposure, tables and all else that is no node.
var blob: LevelExporterBlob
var _arrival := "stairs_up"

@onready var hero: Hero = $Hero
@onready var fog: Fog = $Fog
@onready var minimap: Minimap = %Minimap


func _ready() -> void:
	hero.cell_changed.connect(fog.look_from)
	hero.cell_changed.connect(minimap.follow)
	climb(1)
	var live := get_node_or_null("/root/LevelExporterLive")
	if live != null:
		live.connect("level_swapped", _on_level_swapped)


## Goes some levels on or back. Those left stay as they are, hidden and without processing.
func climb(further: int) -> void:
	if number + further < 0 or number + further >= levels.size():
		return
	if level != null:
		level.hide()
		level.process_mode = Node.PROCESS_MODE_DISABLED
	number += further
	level = get_node_or_null(levels[number])
	if level == null:
		level = (load("res://levels/%s.tscn" % levels[number]) as PackedScene).instantiate()
		add_child(level)
		move_child(level, 0)
	level.show()
	level.process_mode = Node.PROCESS_MODE_INHERIT
	_arrival = "stairs_up" if further > 0 else "stairs_down"
	_read()
	send_back()


## Puts the hero on the stairs they came by: at first, and when a guard has caught them.
func send_back() -> void:
	hero.place((level.get_node("objects/" + _arrival) as Node2D).position)


## The hero has found gold.
func earn(found: int) -> void:
	gold += found
	(%Purse as Label).text = "%s   %d gold" % [levels[number].capitalize(), gold]


func _read() -> void:
	blob = LevelExporterBlob.open("res://levels/%s.lvb" % levels[number])
	fog.cover(blob)
	minimap.open(load("res://levels/%s.ground.png" % levels[number]) as Texture2D, fog)
	earn(0)


# The level was exported again while the game runs. The hero stays, unless there is a wall now.
func _on_level_swapped(_level: Node) -> void:
	_read()
	var inside := Rect2i(Vector2i.ZERO, blob.size).has_point(hero.cell)
	if inside and blob.walkable()[hero.cell.y * blob.size.x + hero.cell.x] == 1:
		hero.place(hero.position)
	else:
		send_back()
