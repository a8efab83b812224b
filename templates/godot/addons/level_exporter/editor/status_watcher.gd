@tool
extends Node
## Polls the exporter's `.exporter/status.json`, in the game's folder or one above it, and tells
## when it changed. It reads the small file itself: a file time is too coarse for two exports
## within a second.

## The status as read, and whether files of this Godot project may have changed.
signal changed(status: Dictionary, files_changed: bool)

const SECONDS := 0.5
## How far above the game's folder the exporter's project may lie.
const LEVELS_UP := 4
const MOST_BYTES := 4 << 20

var _path := ""
var _last := ""
var _wait := 0.0
# Once a level of this project was seen, also what removes the last one concerns it.
var _concerned := false


func _process(delta: float) -> void:
	_wait -= delta
	if _wait <= 0.0:
		_wait = SECONDS
		poll()


## Looks once. The first look only shows what is there: the editor has just scanned.
func poll() -> void:
	if _path.is_empty() or not FileAccess.file_exists(_path):
		_path = _find()
		if _path.is_empty():
			return
		print("Level Exporter: watching %s" % _path)
	var file := FileAccess.open(_path, FileAccess.READ)
	if file == null or file.get_length() > MOST_BYTES:
		return
	var text := file.get_as_text()
	if text == _last:
		return
	var json := JSON.new()
	if json.parse(text) != OK or not json.data is Dictionary:
		return
	var first := _last.is_empty()
	_last = text
	var status: Dictionary = json.data
	_concerned = _concerned or _writes_here(status)
	changed.emit(status, not first and _concerned)


func _find() -> String:
	var folder := ProjectSettings.globalize_path("res://").trim_suffix("/")
	for level in LEVELS_UP:
		var path := folder.path_join(".exporter/status.json")
		if FileAccess.file_exists(path):
			return path
		folder = folder.get_base_dir()
	return ""


# Output paths are relative to the exporter's project, the folder that holds `.exporter`.
func _writes_here(status: Dictionary) -> bool:
	var root := _path.get_base_dir().get_base_dir()
	var game := ProjectSettings.globalize_path("res://")
	for level in levels_of(status):
		for output: Variant in _list(level.get("outputs")):
			var path: Variant = output.get("path") if output is Dictionary else output
			if path is String and root.path_join(path).simplify_path().begins_with(game):
				return true
	return false


## The levels of a status, each a Dictionary with at least its name under "level".
static func levels_of(status: Dictionary) -> Array[Dictionary]:
	var levels: Array[Dictionary] = []
	var listed: Variant = status.get("levels")
	if listed is Dictionary:
		for level_name: String in listed:
			if listed[level_name] is Dictionary:
				levels.append(listed[level_name].merged({"level": level_name}))
	else:
		for level: Variant in _list(listed):
			if level is Dictionary:
				levels.append(level)
	return levels


static func _list(value: Variant) -> Array:
	return value if value is Array else []
