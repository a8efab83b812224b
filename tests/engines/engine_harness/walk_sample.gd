extends RefCounted
## Sends the walkers of the sample game from cell to cell by Godot's own navigation, as a
## NavigationAgent2D does, and reports which do not arrive.

# Many times as fast as a player's game, with as many more steps of physics.
const HASTE := 64
const PACE := 70.0
# As much time as a walk of three times the length needs.
const PATIENCE := 3.0

var _tree: SceneTree = Engine.get_main_loop()


func query(arguments: Dictionary) -> Dictionary:
	Engine.physics_ticks_per_second *= HASTE
	Engine.max_physics_steps_per_frame *= HASTE
	var answer := {}
	for level: String in arguments["levels"]:
		var ways: Array = arguments["levels"][level]
		answer[level] = await _walk_level(level, ways, arguments["body"])
	return answer


# The walkers of a level walk at once: they collide with its walls alone.
func _walk_level(level: String, ways: Array, body: String) -> Dictionary:
	var scene: Node2D = (load("res://levels/%s.tscn" % level) as PackedScene).instantiate()
	if scene.has_node("objects"):
		scene.get_node("objects").free()  # guards need a game, and locks close ways
	_tree.root.add_child(scene)
	await _tree.create_timer(1.0).timeout  # until then paths may end early
	var walkers: Array[Walker] = []
	for way: Array in ways:
		var walker := Walker.new(load(body) as PackedScene, _center(way[0]))
		scene.add_child(walker.body)
		walkers.append(walker)
	await _tree.physics_frame
	var lost := []
	for number in walkers.size():
		walkers[number].agent.target_position = _center(ways[number][1])
	for walker in walkers:
		walker.measure()
	var waiting := walkers.duplicate()
	while not waiting.is_empty():
		await _tree.physics_frame
		waiting = waiting.filter(func(walker: Walker) -> bool: return walker.step(PACE / 60.0))
	for number in walkers.size():
		if not walkers[number].arrived:
			var at := walkers[number].body.position / Hero.TILE
			lost.append({"way": ways[number], "at": [at.x, at.y]})
	scene.free()
	return {"walks": walkers.size(), "lost": lost}


func _center(cell: Array) -> Vector2:
	return (Vector2(cell[0], cell[1]) + Vector2(0.5, 0.5)) * Hero.TILE


## The body of one of the game's scenes with an agent.
class Walker:
	extends RefCounted
	var body: CharacterBody2D
	var agent := NavigationAgent2D.new()
	var arrived := false
	var _left := 0

	func _init(scene: PackedScene, at: Vector2) -> void:
		body = scene.instantiate()
		body.set_script(null)
		body.position = at
		agent.path_desired_distance = 4.0
		agent.target_desired_distance = 4.0
		body.add_child(agent)

	## Asks for the path, and knows how many steps it may take.
	func measure() -> void:
		agent.get_next_path_position()
		var points := agent.get_current_navigation_path()
		var length := 100.0
		for number in points.size() - 1:
			length += points[number].distance_to(points[number + 1])
		_left = ceili(length * PATIENCE / PACE * 60.0)

	## Walks for a frame; whether the walk goes on.
	func step(pixels: float) -> bool:
		if agent.is_navigation_finished():
			arrived = agent.is_target_reached()
			return false
		body.velocity = body.position.direction_to(agent.get_next_path_position())
		body.velocity *= pixels / body.get_physics_process_delta_time()
		body.move_and_slide()
		_left -= 1
		return _left > 0
