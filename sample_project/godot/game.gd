class_name Game
extends Node2D
## Opens the exported levels one after the other and shows them to the hero, the fog and the minimap.

@export var levels: PackedStringArray = ["cavern", "keep", "labyrinth"]

var number := -1
var gold := 0
var level: Node2D
## The data of the level: sight, exposure, tables and all else that is no node.
var blob: LevelExporterBlob
var _start := Vector2.ZERO

@onready var hero: Hero = $Hero
@onready var fog: Fog = $Fog
@onready var minimap: Minimap = %Minimap


func _ready() -> void:
	hero.cell_changed.connect(fog.look_from)
	hero.cell_changed.connect(minimap.follow)
	climb(1)
	var live := get_node_or_null("/root/LevelExporterLive")
	if live != null:
		live.connect("level_swapped", func(_level: Node) -> void: _read(hero.position))


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
	var arrival := "stairs_up" if further > 0 else "stairs_down"
	_start = (level.get_node("objects/" + arrival) as Node2D).position
	_read(_start)


## The hero was caught, and starts again at the stairs.
func send_back() -> void:
	hero.place(_start)


## The hero has found gold.
func earn(found: int) -> void:
	gold += found
	(%Purse as Label).text = "%s   %d gold" % [levels[number].capitalize(), gold]


# Reads the level's data: when it is entered, and when it was exported again while the game runs.
func _read(hero_at: Vector2) -> void:
	blob = LevelExporterBlob.open("res://levels/%s.lvb" % levels[number])
	fog.cover(blob)
	minimap.open(load("res://levels/%s.ground.png" % levels[number]) as Texture2D, fog)
	earn(0)
	hero.place(hero_at)
