extends SceneTree
## Saves pictures of a game, each described by a dictionary of the list in QUESTION.json:
##     godot --script take_screenshot.gd -- QUESTION.json
##
## "picture" is the file to write, "zoom" the pixels of a pixel. With "scene" a level is shown by day
## around the cell "at". With "game", the number of one of its levels, the sample game is shown: the
## hero walks along the cells "walk", and the guards stand on the cells "guards".

const TILE := 16
const SETTLE := 0.6


func _initialize() -> void:
	root.content_scale_mode = Window.CONTENT_SCALE_MODE_DISABLED
	await process_frame
	var path := OS.get_cmdline_user_args()[0]
	for shot: Dictionary in JSON.parse_string(FileAccess.get_file_as_string(path)):
		var displayed: Node = await _play(shot) if shot.has("game") else _show(shot)
		await create_timer(SETTLE).timeout
		await RenderingServer.frame_post_draw
		root.get_texture().get_image().save_png(shot["picture"])
		displayed.free()
	quit()


func _show(shot: Dictionary) -> Node:
	var level: Node = (load(shot["scene"]) as PackedScene).instantiate()
	var camera := Camera2D.new()
	camera.position = _center(shot["at"])
	camera.zoom = Vector2.ONE * float(shot["zoom"])
	level.add_child(camera)
	root.add_child(level)
	camera.make_current()
	return level


func _play(shot: Dictionary) -> Node:
	var game: Node2D = (load("res://game.tscn") as PackedScene).instantiate()
	root.add_child(game)
	await process_frame
	var hero: Node2D = game.get("hero")
	var camera: Camera2D = hero.get_node("Camera")
	camera.zoom = Vector2.ONE * float(shot["zoom"])
	camera.position_smoothing_enabled = false
	if int(shot["game"]) > 0:
		game.call("climb", int(shot["game"]))
	for cell: Array in shot["walk"]:
		hero.call("place", _center(cell))
		await process_frame
	var guards: Array[Node] = get_nodes_in_group("guard")
	for number: int in (shot["guards"] as Array).size():
		(guards[number] as Node2D).position = _center(shot["guards"][number])
	return game


func _center(cell: Array) -> Vector2:
	return (Vector2(cell[0], cell[1]) + Vector2(0.5, 0.5)) * TILE
