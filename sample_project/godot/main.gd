extends Node
## Starts the game, or says what to do first in a fresh clone.


func _ready() -> void:
	if ResourceLoader.exists("res://levels/cavern.tscn"):
		add_child((load("res://game.tscn") as PackedScene).instantiate())
	else:
		push_warning("There are no levels yet: run `exporter export` in sample_project.")
		($Missing as CanvasItem).show()
