@tool
extends Node
## Watches the exporter's status while the editor is open, and signals changes.

## The last batch ([code]status.json[/code]), the levels' statuses, and the files of this
## Godot project that were written, moved or removed.
signal changed(status: Dictionary, levels: Array, files: PackedStringArray)

const StatusReader := preload("../live/status_reader.gd")

const SECONDS := 0.2
# Ten thousand levels are read in small portions, so that the editor does not stop for them.
const _PORTION_MILLISECONDS := 5

var _reader := StatusReader.new()
var _wait := 0.0
var _first := true
# By file, relative to `.exporter`.
var _levels := {}
var _unread := PackedStringArray()
var _files := {}
var _is_reading := false


func _process(delta: float) -> void:
	if _is_reading:
		_read_portion()
		return
	_wait -= delta
	if _wait <= 0.0:
		_wait = SECONDS
		_poll()


func _poll() -> void:
	if not _reader.poll():
		return
	if _first:
		print("Level Exporter: watching %s" % _reader.path)
	else:
		for file in _reader.written():
			_files[file] = true
	_unread = _reader.changed_files
	_is_reading = true
	_read_portion()


func _read_portion() -> void:
	var end := Time.get_ticks_msec() + _PORTION_MILLISECONDS
	while not _unread.is_empty() and Time.get_ticks_msec() <= end:
		var file := _unread[-1]
		_unread.resize(_unread.size() - 1)
		_take_level(file, _reader.read_level(file))
	if not _unread.is_empty():
		return
	_is_reading = false
	var files := PackedStringArray(_files.keys())
	_files.clear()
	_first = false
	changed.emit(_reader.status, _levels.values(), files)


func _take_level(file: String, level: Dictionary) -> void:
	var before := _outputs(_levels.get(file, {}))
	if level.is_empty():
		_levels.erase(file)
	else:
		_levels[file] = level
	if _first:
		return  # the editor has just scanned
	var after := _outputs(level)
	for output: String in before.merged(after):
		var game_path := _reader.in_game(output)
		if before.has(output) != after.has(output) and not game_path.is_empty():
			_files[game_path] = true


static func _outputs(level: Dictionary) -> Dictionary:
	var paths := {}
	for output: Variant in StatusReader.list_of(level.get("outputs")):
		paths[str(output)] = true
	return paths
