extends RefCounted
## Moves a camera through a world and measures the work of its node in each frame.

var _tree: SceneTree = Engine.get_main_loop()
var _opened := 0


## The processor time of this thread, in nanoseconds. Wall-clock time would also count other
## programs.
class Meter:
	extends Node
	var used := 0

	func _process(_delta: float) -> void:
		# The system counts a thread's time when it rests.
		OS.delay_usec(1)
		var file := FileAccess.open("/proc/thread-self/schedstat", FileAccess.READ)
		used = int(file.get_line().split(" ")[0]) if file != null else Time.get_ticks_usec() * 1000


func query(arguments: Dictionary) -> Array:
	var answers := []
	for walk in arguments.walks:
		answers.append(await _walk(arguments.scene, walk))
	return answers


func _walk(scene: String, walk: Dictionary) -> Dictionary:
	_opened = 0
	var level: Node2D = load(scene).instantiate()
	var world: Node2D = level.get_node("world")
	world.part_opened.connect(func(_part: Node2D) -> void: _opened += 1)
	var camera := Camera2D.new()
	camera.position = Vector2(walk.from[0], walk.from[1])
	camera.zoom = Vector2.ONE * walk.get("zoom", 1.0)
	level.add_child(camera)
	_tree.root.add_child(level)
	# Before and after the world's own work.
	var meters: Array[Meter] = [Meter.new(), Meter.new()]
	for index in 2:
		meters[index].process_priority = 999 + 2 * index
		_tree.root.add_child(meters[index])
	var begin := Time.get_ticks_msec()
	var ready := 0
	var works: Array[float] = []
	var rests: Array[float] = []
	var frames: Array[float] = []
	var to := Vector2(walk.to[0], walk.to[1])
	var before := Time.get_ticks_usec()
	while camera.position != to or _opened < walk.get("parts", 0):
		if _opened >= walk.wait:
			if ready == 0:
				ready = Time.get_ticks_msec() - begin
			camera.position = camera.position.move_toward(to, walk.speed)
		var rest := meters[1].used
		await _tree.process_frame
		rests.append((meters[0].used - rest) / 1e6)
		works.append((meters[1].used - meters[0].used) / 1e6)
		var now := Time.get_ticks_usec()
		frames.append((now - before) / 1e3)
		before = now
	var answer := {
		"ready_ms": ready,
		"frames": works.size(),
		"parts": _opened,
		"work": _summary(works),
		"rest": _summary(rests.slice(2)),
		"frame": _summary(frames),
		"memory": Performance.get_monitor(Performance.MEMORY_STATIC),
	}
	for meter in meters:
		meter.free()
	level.free()
	for frame in 3:
		await _tree.process_frame
	return answer


func _summary(times: Array[float]) -> Dictionary:
	times.sort()
	var last := times.size() - 1
	return {
		"median": times[last / 2],
		"p99": times[int(last * 0.99)],
		"most": times[last],
		"above": times.filter(func(time: float) -> bool: return time > 8.0).size(),
	}
