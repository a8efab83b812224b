class_name Chest
extends Area2D
## Opens when the hero touches it.

## What is inside. The property `gold` of the level's spec sets it.
@export var gold := 10

var is_open := false


func _ready() -> void:
	body_entered.connect(_open)


func _open(body: Node2D) -> void:
	if body is Hero and not is_open:
		is_open = true
		($Sprite as Sprite2D).frame += 1
		($Shine as CanvasItem).show()
		create_tween().tween_property($Shine, "energy", 0.35, 1.5)
		get_tree().call_group("game", "earn", gold)
