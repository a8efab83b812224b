extends RefCounted
## Draws scenes, one after the other, and saves the pictures.

const FRAMES := 5


func query(arguments: Dictionary) -> bool:
	# Animated tiles stand still: pictures taken at different times show the same frame of them.
	Engine.time_scale = 0
	var tree: SceneTree = Engine.get_main_loop()
	for question: Dictionary in arguments.pictures:
		var scene: Node2D = load(question.scene).instantiate()
		tree.root.add_child(scene)
		for frame in FRAMES:
			await tree.process_frame
		await RenderingServer.frame_post_draw
		tree.root.get_texture().get_image().save_png(question.file)
		scene.free()
	return true
