class_name Door
extends Area2D
## Blocks sight and light until somebody walks into it. The tile below it is an open door.


func _ready() -> void:
	body_entered.connect(_open)


func _open(_body: Node2D) -> void:
	get_tree().call_group("game", "open_door", self)
