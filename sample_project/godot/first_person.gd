class_name FirstPerson
extends Node3D
## The levels as exported models, seen by the light of a torch. Keys, chests and stairs are those of
## the flat game, but left and right turn; things are the pictures of their flat scenes.

const LEVELS: Array[String] = ["cavern", "keep", "outpost", "stronghold", "labyrinth"]
## Metres, as the sides of the models' cells.
const REACH := 0.8

@export var speed := 4.0
@export var turning_speed := 2.4

var number := 0
var gold := 0
var level: Node3D
var _opened := {}

@onready var hero: CharacterBody3D = $Hero
@onready var _torch: OmniLight3D = $Hero/Torch
@onready var _purse: Label = %Purse
@onready var _hint: CanvasItem = %Hint


func _ready() -> void:
	enter(0, "stairs_up")


func _physics_process(delta: float) -> void:
	var keys := Input.get_vector("walk_left", "walk_right", "walk_up", "walk_down")
	hero.rotate_y(-keys.x * turning_speed * delta)
	hero.velocity = hero.basis.z * keys.y * speed
	hero.move_and_slide()
	_torch.light_energy = 2.0 + 0.15 * sin(Time.get_ticks_msec() * 0.013)
	var chest := near("chest")
	if chest != null and not _opened.has([number, chest.name]):
		gold += int(chest.get_meta("extras")["properties"].get("gold", 10))
		_open(chest)
	_hint.visible = near("stairs_up") != null or near("stairs_down") != null
	_purse.text = "%s   %d gold" % [LEVELS[number].capitalize(), gold]


func _unhandled_input(event: InputEvent) -> void:
	if not event.is_action_pressed("use"):
		return
	if near("stairs_down") != null and number + 1 < LEVELS.size():
		enter(number + 1, "stairs_up")
	elif near("stairs_up") != null and number > 0:
		enter(number - 1, "stairs_down")


## Shows another level to the hero, who arrives on these stairs.
func enter(index: int, stairs: String) -> void:
	if level != null:
		level.free()
	number = index
	level = (load("res://models/%s.glb" % LEVELS[number]) as PackedScene).instantiate()
	add_child(level)
	for thing in things():
		_show_picture(thing)
		if _opened.has([number, thing.name]):
			_open(thing)
		if thing.get_meta("extras")["name"] == stairs:
			hero.position = thing.position


## The exported objects: nodes on the floor, with the level's data as `extras`.
func things() -> Array[Node]:
	return level.find_child("objects", true, false).get_children()


## A thing of this name within the hero's reach, or none.
func near(kind: String) -> Node3D:
	for thing: Node3D in things():
		var is_near := thing.position.distance_to(hero.position) < REACH
		if is_near and thing.get_meta("extras")["name"] == kind:
			return thing
	return null


func _open(chest: Node3D) -> void:
	_opened[[number, chest.name]] = true
	(chest.get_node("Picture") as Sprite3D).frame += 1


func _show_picture(thing: Node3D) -> void:
	var path := "res://%s.tscn" % thing.get_meta("extras")["name"]
	if not ResourceLoader.exists(path):
		return
	var flat := (load(path) as PackedScene).instantiate()
	var sprite: Sprite2D = flat if flat is Sprite2D else flat.get_node("Sprite")
	var picture := Sprite3D.new()
	picture.name = "Picture"
	picture.texture = sprite.texture
	picture.hframes = sprite.hframes
	picture.frame = sprite.frame
	picture.pixel_size = 1.0 / 16.0
	picture.position.y = 0.5
	picture.billboard = BaseMaterial3D.BILLBOARD_FIXED_Y
	picture.alpha_cut = SpriteBase3D.ALPHA_CUT_DISCARD
	picture.texture_filter = BaseMaterial3D.TEXTURE_FILTER_NEAREST
	picture.shaded = true
	thing.add_child(picture)
	flat.free()
