extends RefCounted
## Draws scenes in the dark, lit by some lamps with shadows, and saves the picture.

const FRAMES := 3

var _tree: SceneTree = Engine.get_main_loop()


func query(arguments: Dictionary) -> bool:
	# Animated tiles stand still: pictures taken at different times show the same frame of them.
	Engine.time_scale = 0
	var night := CanvasModulate.new()
	night.color = Color(0.1, 0.1, 0.1)
	_tree.root.add_child(night)
	for question in arguments.pictures:
		var scene: Node2D = load(question.scene).instantiate()
		_tree.root.add_child(scene)
		var lamps: Array[Node] = []
		for point in question.lamps:
			lamps.append(lamp_at(Vector2(point[0], point[1])))
			_tree.root.add_child(lamps[-1])
		for frame in FRAMES:
			await _tree.process_frame
		await RenderingServer.frame_post_draw
		_tree.root.get_texture().get_image().save_png(question.file)
		for lamp in lamps:
			lamp.free()
		scene.free()
	night.free()
	return true


static func lamp_at(point: Vector2) -> PointLight2D:
	var gradient := Gradient.new()
	gradient.set_color(0, Color.WHITE)
	gradient.set_color(1, Color.BLACK)
	var glow := GradientTexture2D.new()
	glow.gradient = gradient
	glow.fill = GradientTexture2D.FILL_RADIAL
	glow.fill_from = Vector2(0.5, 0.5)
	glow.fill_to = Vector2(1.0, 0.5)
	glow.width = 512
	glow.height = 512
	var lamp := PointLight2D.new()
	lamp.texture = glow
	lamp.position = point
	lamp.shadow_enabled = true
	return lamp
