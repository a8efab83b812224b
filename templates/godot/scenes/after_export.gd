extends Node2D
## Hands the level to a script of the game before it is ready: its `after_export(root)` may change
## the level's nodes and add others. The file of the scene stays as it was exported.

@export var after_export: Script


func _enter_tree() -> void:
	if after_export != null:
		var hook := after_export
		after_export = null
		hook.call("new").call("after_export", self)
