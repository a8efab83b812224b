@tool
extends RefCounted
## Reads the exporter's status files: `.exporter/status.json`, in the game's folder or one above
## it, and beside it a small file for every level.
##
## Polling reads only the beginning of `status.json`, because a file time is too coarse for two
## exports within a second.

## How far above the game's folder the exporter's project may lie.
const LEVELS_UP := 4
const MOST_BYTES := 64 << 20
# Holds the number of the batch and the time at which it ended.
const _HEAD_BYTES := 192

## The path of `status.json`; empty while it does not exist.
var path := ""
## The content of `status.json`.
var status := {}
## The levels' files that may have changed since the last poll, relative to `.exporter`.
var changed_files := PackedStringArray()

var _head := PackedByteArray()
var _revision := -1
# Whether batches were missed, so that `batch` does not tell all that was written.
var _missed := false


## Whether the status has changed since the last poll; true for the first status.
func poll() -> bool:
	if path.is_empty() or not FileAccess.file_exists(path):
		path = _find()
		if path.is_empty():
			return false
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null or file.get_length() > MOST_BYTES:
		return false
	var head := file.get_buffer(_HEAD_BYTES)
	if head == _head:
		return false
	file.seek(0)
	var json := JSON.new()
	if json.parse(file.get_as_text()) != OK or not json.data is Dictionary:
		return false
	_head = head
	status = json.data
	_take()
	return true


## The status of one level; empty if it was deleted.
func read_level(file: String) -> Dictionary:
	var candidate := path.get_base_dir().path_join(file)
	var stream := FileAccess.open(candidate, FileAccess.READ)
	if stream == null or stream.get_length() > MOST_BYTES:
		return {}
	var json := JSON.new()
	if json.parse(stream.get_as_text()) != OK or not json.data is Dictionary:
		return {}
	return json.data


## The files of this Godot project that were written since the last poll.
func written() -> PackedStringArray:
	var paths := {}
	for entry: Variant in list_of(status.get("batch")):
		if entry is Dictionary:
			for output: Variant in list_of(entry.get("written")):
				paths[in_game(str(output))] = true
	if _missed:
		for file in changed_files:
			for output: Variant in list_of(read_level(file).get("outputs")):
				paths[in_game(str(output))] = true
	paths.erase("")
	return PackedStringArray(paths.keys())


## The `res://` path of an output, whose path is relative to the exporter's project; empty for one
## that is not in this game.
func in_game(output: String) -> String:
	var candidate := path.get_base_dir().get_base_dir().path_join(output).simplify_path()
	var game := ProjectSettings.globalize_path("res://")
	return "res://" + candidate.trim_prefix(game) if candidate.begins_with(game) else ""


## Returns a value if it is a list, else an empty list.
static func list_of(value: Variant) -> Array:
	return value if value is Array else []


func _find() -> String:
	var folder := ProjectSettings.globalize_path("res://").trim_suffix("/")
	for level in LEVELS_UP:
		var candidate := folder.path_join(".exporter/status.json")
		if FileAccess.file_exists(candidate):
			return candidate
		folder = folder.get_base_dir()
	return ""


func _take() -> void:
	changed_files.clear()
	var revision := int(status.get("revision", 0))
	var known := _revision
	_missed = known >= 0 and revision != known + 1
	_revision = revision
	if not _list_changes(known, revision):
		_list_all()


# Lists the changes since a known batch. Returns false if that is not listed.
func _list_changes(known: int, revision: int) -> bool:
	if known < 0 or known >= revision:
		return false
	var paths := {}
	var reached := revision
	var batches := [status] + list_of(status.get("earlier"))
	for batch: Variant in batches:
		if reached == known or not batch is Dictionary or int(batch.get("revision", -1)) != reached:
			break
		for file: Variant in list_of(batch.get("files")):
			paths[str(file)] = true
		reached -= 1
	if reached != known:
		return false
	changed_files = PackedStringArray(paths.keys())
	return true


func _list_all() -> void:
	for file in DirAccess.get_files_at(path.get_base_dir().path_join("levels")):
		if file.ends_with(".json"):
			changed_files.append("levels/" + file)
