class_name Hero
extends CharacterBody2D
## Walks with the arrow keys or W A S D, and is stopped by the collision of the exported scene.

## The hero stands on another cell of the level.
signal cell_changed(cell: Vector2i)

## Pixels a cell is wide and high in the exported scenes.
const TILE := 16

@export var speed := 88.0

var cell := Vector2i.MIN
var _walked := 0.0

@onready var _sprite: Sprite2D = $Sprite
@onready var _torch: PointLight2D = $Torch


func _physics_process(delta: float) -> void:
	velocity = Input.get_vector("walk_left", "walk_right", "walk_up", "walk_down") * speed
	move_and_slide()
	_walked += get_real_velocity().length() * delta
	_sprite.frame = int(_walked / 8.0) % 2
	if velocity.x != 0.0:
		_sprite.flip_h = velocity.x < 0.0
	_torch.energy = 0.66 + 0.04 * sin(Time.get_ticks_msec() * 0.013)
	_look_down()


## Puts the hero somewhere at once.
func place(point: Vector2) -> void:
	position = point
	cell = Vector2i.MIN
	_look_down()


func _look_down() -> void:
	var here := Vector2i((position / TILE).floor())
	if here != cell:
		cell = here
		cell_changed.emit(cell)
