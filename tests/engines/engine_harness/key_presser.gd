extends RefCounted
## Presses the keys of the sample game, and converts its cells.

var _tree: SceneTree = Engine.get_main_loop()


func _press(key: Key, pressed: bool) -> void:
	var event := InputEventKey.new()
	event.physical_keycode = key
	event.keycode = key
	event.pressed = pressed
	Input.parse_input_event(event)
	Input.flush_buffered_events()


func _steps(count: int) -> void:
	for step in count:
		await _tree.physics_frame


func _center(cell: Array) -> Vector2:
	return (Vector2(cell[0], cell[1]) + Vector2(0.5, 0.5)) * Hero.TILE


func _cell_of(node: Node2D) -> Vector2i:
	return Vector2i((node.position / Hero.TILE).floor())


func _pair(vector: Variant) -> Array:
	return [int(vector.x), int(vector.y)]


func _whole(number: float) -> int:
	return int(number)
