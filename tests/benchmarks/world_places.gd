extends RefCounted
## Places a body with a camera in random cells of a world, and measures frames and waits.

# Frames after each placement that are measured, too.
const AFTER := 20


func query(arguments: Dictionary) -> Dictionary:
	var tree: SceneTree = Engine.get_main_loop()
	var random := RandomNumberGenerator.new()
	random.seed = 5
	var level: Node2D = load(arguments.scene).instantiate()
	var world: Node2D = level.get_node("world")
	var body := CharacterBody2D.new()
	var shape := CollisionShape2D.new()
	shape.shape = CircleShape2D.new()
	body.add_child(shape)
	body.add_child(Camera2D.new())
	level.add_child(body)
	tree.root.add_child(level)
	var waiting := {"placed": false}
	world.placed.connect(func(_body: Node2D) -> void: waiting.placed = true)
	var frames := []
	var rests := []
	var waits := []
	for number in int(arguments.count):
		var cell := Vector2i(random.randi() % world.size.x, random.randi() % world.size.y)
		var begin := Time.get_ticks_usec()
		waiting.placed = false
		world.place(body, cell)
		var after := 0
		while after < AFTER:
			var frame := Time.get_ticks_usec()
			await tree.process_frame
			frames.append((Time.get_ticks_usec() - frame) / 1000.0)
			rests.append(frames[-1] - world.last_work)
			if waiting.placed:
				if after == 0:
					waits.append((Time.get_ticks_usec() - begin) / 1000.0)
				body.position.x += 1
				after += 1
	level.free()
	return {"frames": frames, "rests": rests, "waits": waits}
