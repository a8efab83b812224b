class_name Stairs
extends Area2D
## Leads to another level when the hero stands on it and uses it (space, enter or E).

## How many levels further on the stairs lead; negative: back.
@export var levels := 1

@onready var _hint: CanvasItem = $Hint


func _physics_process(_delta: float) -> void:
	_hint.visible = has_overlapping_bodies()  # only the hero is in the layer that stairs look at


func _unhandled_input(event: InputEvent) -> void:
	if _hint.visible and event.is_action_pressed("use"):
		get_viewport().set_input_as_handled()
		get_tree().call_group("game", "climb", levels)
