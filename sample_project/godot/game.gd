class_name Game
extends Node2D
## Opens the exported levels one after the other, then those of the cellar, and shows them to the
## hero, the fog and the minimap. The game is won by leaving the first level with the treasure, and
## lost without hearts.

const DOOR := preload("res://door.tscn")
const NO_MISSION := {"start": "", "goal": "", "locks": []}
## Points for the treasure, and for each heart that is left.
const TREASURE_POINTS := 500
const HEART_POINTS := 100

@export var levels: PackedStringArray = ["cavern", "keep", "outpost", "stronghold", "labyrinth"]

var number := -1
var gold := 0
var hearts := 3
var has_treasure := false
var is_over := false
var level: Node2D
## The data of the level: sight, exposure, tables and all else that is no node.
var blob: LevelExporterBlob
## The locks and keys of the level.
var mission: LevelMission
var _missions := {}
var _arrival := "stairs_up"
var _opened := {}

@onready var hero: Hero = $Hero
@onready var fog: Fog = $Fog
@onready var minimap: Minimap = %Minimap
@onready var screen: GameScreen = $Screen
@onready var _cellar: Cellar = $Cellar


func _ready() -> void:
	hero.cell_changed.connect(fog.look_from)
	hero.cell_changed.connect(minimap.follow)
	hero.cell_changed.connect(screen.show_position)
	hero.cell_changed.connect(_try_locks)
	climb(1)
	var live := get_node_or_null("/root/LevelExporterLive")
	if live != null:
		live.connect("level_swapped", _on_level_swapped)


func _unhandled_input(event: InputEvent) -> void:
	if is_over and event.is_action_pressed("use"):
		var main := get_parent()
		main.remove_child(self)
		main.add_child((load(scene_file_path) as PackedScene).instantiate())
		queue_free()


## Goes some levels on or back. Those left stay as they are, hidden and without processing.
func climb(further: int) -> void:
	if number + further < 0:
		_leave()
	var is_below := number + further >= levels.size()
	if number + further < 0 or is_below and _cellar.is_empty():
		return
	if level != null:
		play("Stairs")
		_show_level(false)
	number += further
	level = get_node_or_null(_name_of_level())
	if level == null:
		if number < levels.size():
			level = (load("res://levels/%s.tscn" % levels[number]) as PackedScene).instantiate()
		else:
			level = _cellar.level(_depth())
			level.child_entered_tree.connect(_on_child_entered)
		add_child(level)
		move_child(level, 0)
	_show_level(true)
	_arrival = "stairs_up" if further > 0 else "stairs_down"
	_read()
	send_back()


## A guard has caught the hero.
func lose_heart() -> void:
	hearts -= 1
	play("Hurt")
	send_back()
	screen.show_purse()
	if hearts == 0:
		_end("Lost", "Caught three times: the deep keeps you, and your gold.")


## Puts the hero on the stairs they came by: at first, and when a guard has caught them.
func send_back() -> void:
	hero.place((level.get_node("objects/" + _arrival) as Node2D).position)


## The hero has found gold.
func earn(amount: int) -> void:
	gold += amount
	play("Coin")
	screen.show_purse()


## The hero has taken the key of some locks, or the treasure, which opens none.
func take(opens: String) -> void:
	has_treasure = has_treasure or opens == ""
	if opens != "":
		mission.take(opens)
	play("Key")
	screen.show_purse()
	screen.say("The key of the %s" % opens if opens else "The crown! Now up and out with it")


## Somebody has walked into a door.
func open_door(door: Door) -> void:
	var cell := cell_of(door)
	_opened[[level.name, cell]] = true
	door.queue_free()
	fog.block(cell, false)
	fog.look_from(hero.cell)
	play("Open")


## Plays a sound: the name of a node.
func play(sound: String) -> void:
	($Sounds.get_node(sound) as AudioStreamPlayer).play()


## The cell in which something stands.
func cell_of(thing: Node2D) -> Vector2i:
	return Vector2i((thing.position / Hero.TILE).floor())


# Levels lie on top of each other, so paths of those that are left are switched off, too.
func _show_level(enabled: bool) -> void:
	level.visible = enabled
	level.process_mode = Node.PROCESS_MODE_INHERIT if enabled else Node.PROCESS_MODE_DISABLED
	for paths: NavigationRegion2D in level.find_children("*", "NavigationRegion2D", true, false):
		paths.enabled = enabled


# The paths of a cellar come some frames after it, when the hero may have left.
func _on_child_entered(child: Node) -> void:
	if child is NavigationRegion2D:
		(child as NavigationRegion2D).enabled = child.get_parent() == level


# How far below the last exported level, from 0.
func _depth() -> int:
	return number - levels.size()


func _name_of_level() -> String:
	return levels[number] if number < levels.size() else "cellar %d" % (_depth() + 1)


func _read() -> void:
	if number < levels.size():
		blob = LevelExporterBlob.open("res://levels/%s.lvb" % levels[number])
	else:
		blob = _cellar.blob(_depth())
	fog.cover(blob, level.name)
	if number < levels.size():
		minimap.open(load("res://levels/%s.ground.png" % levels[number]) as Texture2D, fog)
	else:
		minimap.open(_cellar.picture(_depth()), fog)
	_close_doors()
	_close_locks()
	screen.show_purse()


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


# Closes the locks of the mission, but for those that were opened before.
func _close_locks() -> void:
	mission = LevelMission.of(level.get_meta("mission", NO_MISSION))
	var before: LevelMission = _missions.get(level.name, mission)
	mission.restore(before.save())
	_missions[level.name] = mission
	for index in mission.locks.size():
		_show_lock(index)


# Locks open for whoever stands beside them and has the key, or stands on the right side.
func _try_locks(cell: Vector2i) -> void:
	for index in mission.locks.size():
		if mission.open(index, cell):
			_show_lock(index)
			fog.look_from(cell)
			play("Open")


# Doors of a vault block sight, bars of a gate do not; both are gone once they are open.
func _show_lock(index: int) -> void:
	var cells: Array = mission.locks[index]["cells"]
	for cell: Vector2i in cells:
		fog.block(cell, mission.locks[index]["kind"] == "key" and not mission.is_open(index))
	for thing: Node2D in level.get_node("objects").get_children():
		if mission.is_open(index) and cell_of(thing) in cells:
			thing.queue_free()


func _leave() -> void:
	if not has_treasure:
		screen.say("Not without the crown: it lies in the vault of the keep")
		return
	var score := gold + TREASURE_POINTS + HEART_POINTS * hearts
	_end("Won", "You leave with the crown of the seven seas.\n\nScore: %d" % score)


# The level was exported again while the game runs. The hero stays, unless there is a wall now.
func _on_level_swapped(_level: Node) -> void:
	_read()
	var inside := Rect2i(Vector2i.ZERO, blob.size).has_point(hero.cell)
	if inside and blob.walkable()[hero.cell.y * blob.size.x + hero.cell.x] == 1:
		hero.place(hero.position)
	else:
		send_back()


func _end(sound: String, text: String) -> void:
	is_over = true
	play(sound)
	hero.set_physics_process(false)
	level.set_deferred("process_mode", Node.PROCESS_MODE_DISABLED)  # a guard may be at work
	screen.end(text)
