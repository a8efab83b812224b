class_name Game
extends Node2D
## Opens the exported levels one after the other and shows them to the hero, the fog and the
## minimap.

const DOOR := preload("res://door.tscn")

@export var levels: PackedStringArray = ["cavern", "keep", "outpost", "stronghold", "labyrinth"]

var number := -1
var gold := 0
var level: Node2D
## The data of the level: sight, exposure, tables and all else that is no node.
var blob: LevelExporterBlob
var _arrival := "stairs_up"
var _opened := {}

@onready var hero: Hero = $Hero
@onready var fog: Fog = $Fog
@onready var minimap: Minimap = %Minimap


func _ready() -> void:
	hero.cell_changed.connect(fog.look_from)
	hero.cell_changed.connect(minimap.follow)
	hero.cell_changed.connect(_tell_position)
	climb(1)
	var live := get_node_or_null("/root/LevelExporterLive")
	if live != null:
		live.connect("level_swapped", _on_level_swapped)


## Goes some levels on or back. Those left stay as they are, hidden and without processing.
func climb(further: int) -> void:
	if number + further < 0 or number + further >= levels.size():
		return
	if level != null:
		_show_level(false)
	number += further
	level = get_node_or_null(levels[number])
	if level == null:
		level = (load("res://levels/%s.tscn" % levels[number]) as PackedScene).instantiate()
		add_child(level)
		move_child(level, 0)
	_show_level(true)
	_arrival = "stairs_up" if further > 0 else "stairs_down"
	_read()
	send_back()


## Puts the hero on the stairs they came by: at first, and when a guard has caught them.
func send_back() -> void:
	hero.place((level.get_node("objects/" + _arrival) as Node2D).position)


## The hero has found gold.
func earn(amount: int) -> void:
	gold += amount
	(%Purse as Label).text = "%s   %d gold" % [levels[number].capitalize(), gold]


## Somebody has walked into a door.
func open_door(door: Door) -> void:
	var cell := Vector2i((door.position / Hero.TILE).floor())
	_opened[[level.name, cell]] = true
	door.queue_free()
	fog.block(cell, false)
	fog.look_from(hero.cell)


# Levels lie on top of each other, so paths of those that are left are switched off, too.
func _show_level(enabled: bool) -> void:
	level.visible = enabled
	level.process_mode = Node.PROCESS_MODE_INHERIT if enabled else Node.PROCESS_MODE_DISABLED
	for paths: NavigationRegion2D in level.find_children("*", "NavigationRegion2D", true, false):
		paths.enabled = enabled


func _read() -> void:
	blob = LevelExporterBlob.open("res://levels/%s.lvb" % levels[number])
	fog.cover(blob)
	minimap.open(load("res://levels/%s.ground.png" % levels[number]) as Texture2D, fog)
	earn(0)
	_close_doors()


# Closes the doors of all rooms that nobody has opened.
func _close_doors() -> void:
	for door in level.find_children("*", "Door", false, false):
		door.free()
	for room: Dictionary in level.get_meta("rooms", []):
		for cell: Vector2i in room["doors"]:
			var closed := not _opened.has([level.name, cell])
			fog.block(cell, closed)
			if closed and not level.has_node("door %d %d" % [cell.x, cell.y]):
				var door: Door = DOOR.instantiate()
				door.name = "door %d %d" % [cell.x, cell.y]
				door.position = (Vector2(cell) + Vector2(0.5, 0.5)) * Hero.TILE
				level.add_child(door)


# The name of the room where the hero is, and the danger there: its share of the way to the exit.
func _tell_position(cell: Vector2i) -> void:
	var text := ""
	for room: Dictionary in level.get_meta("rooms", []):
		if Rect2i(room["position"], room["size"]).has_point(cell):
			text = (room["name"] as String).capitalize() + "   "
	if "danger" in blob.layer_names():
		var share := blob.cells("danger")[cell.y * blob.size.x + cell.x]
		text += "danger %d %%" % roundi(100.0 * share / 65535)
	(%Location as Label).text = text.strip_edges()
	(%PositionFrame as CanvasItem).visible = text != ""


# The level was exported again while the game runs. The hero stays, unless there is a wall now.
func _on_level_swapped(_level: Node) -> void:
	_read()
	var inside := Rect2i(Vector2i.ZERO, blob.size).has_point(hero.cell)
	if inside and blob.walkable()[hero.cell.y * blob.size.x + hero.cell.x] == 1:
		hero.place(hero.position)
	else:
		send_back()
