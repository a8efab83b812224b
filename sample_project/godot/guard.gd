class_name Guard
extends CharacterBody2D
## Patrols where it sees most, by the exported layer `exposure`, and runs after the hero it sees.

const STEPS: Array[Vector2i] = [Vector2i.RIGHT, Vector2i.DOWN, Vector2i.LEFT, Vector2i.UP]

## The exported layer that it walks by.
@export var layer := "exposure"
@export var speed := 36.0
@export var running_speed := 70.0

var cell := Vector2i.ZERO
var sees_hero := false
var _level: LevelExporterBlob
var _values := PackedInt32Array()
var _visits := {}
var _goal := Vector2.ZERO

@onready var _game: Game = get_tree().get_first_node_in_group("game")
@onready var _sprite: Sprite2D = $Sprite
@onready var _first_frame := _sprite.frame
@onready var _alarm: CanvasItem = $Alarm


func _physics_process(_delta: float) -> void:
	cell = Vector2i((position / Hero.TILE).floor())
	if _level != _game.blob:
		_level = _game.blob
		_values = _level.cells(layer)
		_goal = position
	_look_for(_game.hero)
	if not sees_hero and position.distance_to(_goal) < 1.0:
		_goal = (Vector2(_next_cell()) + Vector2(0.5, 0.5)) * Hero.TILE
	var pace := running_speed if sees_hero else speed
	velocity = position.direction_to(_goal) * minf(pace, position.distance_to(_goal) * 60.0)
	if move_and_slide() and not sees_hero:
		_goal = (Vector2(cell) + Vector2(0.5, 0.5)) * Hero.TILE
	_sprite.frame = _first_frame + int(Time.get_ticks_msec() / 180.0) % 2
	_sprite.flip_h = velocity.x < 0.0


## The value of a cell in the layer: of `exposure` how much is seen from there, 0 in walls.
func value_at(at: Vector2i) -> int:
	return _values[at.y * _level.size.x + at.x]


# Sight is symmetric: whom the hero sees, sees the hero.
func _look_for(hero: Hero) -> void:
	sees_hero = _game.fog.lit[cell.y * _level.size.x + cell.x] == 1
	visible = sees_hero
	_alarm.visible = sees_hero
	if sees_hero:
		_goal = hero.position
		if position.distance_to(hero.position) < Hero.TILE * 0.8:
			_game.lose_heart()


# The neighbour with the highest exposure; a cell counts less each time the guard was there.
func _next_cell() -> Vector2i:
	_visits[cell] = 1 + int(_visits.get(cell, 0))
	var best := cell
	var highest := 0.0
	for step in STEPS:
		var worth := value_at(cell + step) / (1.0 + int(_visits.get(cell + step, 0)))
		if worth > highest:
			highest = worth
			best = cell + step
	return best
