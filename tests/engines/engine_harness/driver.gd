@tool
extends Node
## Runs scripts inside an editor or a game that runs: every `N.gd` that appears in the folder of the
## environment variable DRIVER_FOLDER. The result of its `run(node)` is written to `N.json`.

var _folder := OS.get_environment("DRIVER_FOLDER")
var _number := 1
var _busy := false


func _ready() -> void:
	# More frames would only take the processor from the exporter.
	if Engine.is_editor_hint():
		OS.low_processor_usage_mode_sleep_usec = 20000
	else:
		Engine.max_fps = 60


func _process(_delta: float) -> void:
	var path := _folder.path_join("%d.gd" % _number)
	if _busy or _folder.is_empty() or not FileAccess.file_exists(path):
		return
	_busy = true
	var script := GDScript.new()
	script.source_code = FileAccess.get_file_as_string(path)
	var result: Variant = null
	if script.reload() == OK:
		var instance: Object = script.new()
		result = await instance.call("run", self)
	var answer := FileAccess.open(path + ".tmp", FileAccess.WRITE)
	answer.store_string(JSON.stringify(result, "", true, true))
	answer.close()
	DirAccess.rename_absolute(path + ".tmp", _folder.path_join("%d.json" % _number))
	_number += 1
	_busy = false
