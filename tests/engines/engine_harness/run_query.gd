extends SceneTree
## Runs a query script for each line of the standard input, a JSON object with the files `script`,
## `question` and `answer`. The script's `query(arguments)` may await; its result is written as
## JSON. A line `@@answered` ends the output, `@@failed` if there is no answer. Reading blocks, so
## that an engine without work costs nothing.


func _initialize() -> void:
	while true:
		var line := OS.read_string_from_stdin(65536)
		if line.is_empty():
			quit()
			return
		var job: Dictionary = JSON.parse_string(line)
		var nodes := root.get_children()
		var steps := [Engine.physics_ticks_per_second, Engine.max_physics_steps_per_frame]
		var done: bool = await _answer(job)
		# The next query finds the game unchanged.
		Engine.physics_ticks_per_second = steps[0]
		Engine.max_physics_steps_per_frame = steps[1]
		Engine.time_scale = 1.0
		paused = false
		for node in root.get_children():
			if node not in nodes:
				node.queue_free()
		await process_frame
		print("@@answered" if done else "@@failed")


func _answer(job: Dictionary) -> bool:
	var script := ResourceLoader.load(job["script"], "", ResourceLoader.CACHE_MODE_IGNORE) as GDScript
	if script == null or not script.can_instantiate():
		return false
	var question: Variant = JSON.parse_string(FileAccess.get_file_as_string(job["question"]))
	var result: Variant = await script.new().query(question)
	var answer := FileAccess.open(job["answer"], FileAccess.WRITE)
	answer.store_string(JSON.stringify(result, "", true, true))
	answer.close()
	return true
