extends RefCounted
## Times the levels of a pack: at once, and in the background.

const Pack := preload("res://addons/level_exporter/runtime/level_pack.gd")

var _tree: SceneTree = Engine.get_main_loop()


func query(asked: Dictionary) -> Dictionary:
	OS.low_processor_usage_mode_sleep_usec = 0
	for frame in 5:
		await _tree.process_frame
	var pack := Pack.open(asked["path"])
	var at_once := []
	var frames := []
	for index in int(asked["count"]):
		var began := Time.get_ticks_usec()
		var level := pack.level(index)
		at_once.append((Time.get_ticks_usec() - began) / 1000.0)
		level.free()
		frames.append(await _longest_frame(pack, index))
	return {"level": at_once, "longest frame of add_level": frames}


func _longest_frame(pack: Pack, index: int) -> float:
	var parent := Node2D.new()
	_tree.root.add_child(parent)
	var added := []
	var add := func() -> void: added.append(await pack.add_level(index, parent))
	add.call()
	var longest := 0
	while added.is_empty():
		var began := Time.get_ticks_usec()
		await _tree.process_frame
		longest = maxi(longest, Time.get_ticks_usec() - began)
	parent.free()
	await _tree.process_frame
	return longest / 1000.0
