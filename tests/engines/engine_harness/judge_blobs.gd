extends SceneTree
## Judges blobs: `--script judge_blobs.gd -- FILE default|strangers`. The file holds blobs, each after
## its length. Prints `read` or `refused` and the milliseconds that took, a line for each; then, on Linux, how
## much memory the process had at most.

const Blob := preload("res://addons/level_exporter/runtime/level_blob.gd")


func _init() -> void:
	var arguments := OS.get_cmdline_user_args()
	var file := FileAccess.open(arguments[0], FileAccess.READ)
	while file.get_position() < file.get_length():
		var bytes := file.get_buffer(file.get_32())
		var started := Time.get_ticks_msec()
		var judged := "read" if _is_read(bytes, arguments[1] == "strangers") else "refused"
		print(judged, " ", Time.get_ticks_msec() - started)
	var status := FileAccess.open("/proc/self/status", FileAccess.READ)
	while status != null:
		var line := status.get_line()
		if line.is_empty():
			break
		print(line)
	quit()


func _is_read(bytes: PackedByteArray, is_of_stranger: bool) -> bool:
	var limits := Blob.Limits.for_strangers() if is_of_stranger else Blob.Limits.new()
	var blob := Blob.from_bytes(bytes, limits)
	for level in blob.level_count():
		if not (blob.is_valid() and blob.select(level) and blob.verify()):
			return false
	return blob.is_valid()
