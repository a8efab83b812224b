class_name Loot
extends Area2D
## A key or the treasure: the hero takes it by touching it.

## The locks that it opens. The property `opens` of the exported object sets it; the treasure opens
## none.
@export var opens := ""


func _ready() -> void:
	body_entered.connect(_take)


func _take(_body: Node2D) -> void:
	get_tree().call_group("game", "take", opens)
	queue_free()
