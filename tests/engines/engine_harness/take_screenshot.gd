extends SceneTree
## Saves a picture of the main scene, by day or with one lamp in the player's hand:
##     godot --script take_screenshot.gd -- day|lamp picture.png

const FRAMES := 20


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	change_scene_to_file.call_deferred("res://main.tscn")
	await process_frame
	await process_frame
	if arguments[0] == "lamp":
		_light_a_lamp()
	for i in FRAMES:
		await process_frame
	await RenderingServer.frame_post_draw
	root.get_texture().get_image().save_png(arguments[1])
	quit()


func _light_a_lamp() -> void:
	var night := CanvasModulate.new()
	night.color = Color(0.12, 0.13, 0.2)
	current_scene.add_child(night)
	var gradient := Gradient.new()
	gradient.set_color(0, Color(1.0, 0.9, 0.65))
	gradient.set_color(1, Color(0, 0, 0))
	var glow := GradientTexture2D.new()
	glow.gradient = gradient
	glow.fill = GradientTexture2D.FILL_RADIAL
	glow.fill_from = Vector2(0.5, 0.5)
	glow.fill_to = Vector2(1.0, 0.5)
	glow.width = 512
	glow.height = 512
	var lamp := PointLight2D.new()
	lamp.texture = glow
	lamp.energy = 1.4
	lamp.shadow_enabled = true
	current_scene.get("player").add_child(lamp)
