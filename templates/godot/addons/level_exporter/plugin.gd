@tool
extends EditorPlugin
## Imports `.lvb` levels, and follows the exporter: shows the result of its last export in a
## dock, and has the editor look for new files when it wrote some, focused or not.

const LevelImporter := preload("editor/level_importer.gd")
const StatusPanel := preload("editor/status_panel.gd")
const StatusWatcher := preload("editor/status_watcher.gd")

var _importer: EditorImportPlugin
var _watcher: StatusWatcher
var _panel: StatusPanel


func _enter_tree() -> void:
	_importer = LevelImporter.new()
	add_import_plugin(_importer)
	_watcher = StatusWatcher.new()
	_panel = StatusPanel.new()
	_panel.name = "Levels"
	_panel.scan_asked.connect(_scan)
	_watcher.changed.connect(_on_status_changed)
	add_child(_watcher)
	add_control_to_dock(DOCK_SLOT_LEFT_BR, _panel)
	add_tool_menu_item("Level Exporter: Look for New Levels", _scan)


func _exit_tree() -> void:
	remove_tool_menu_item("Level Exporter: Look for New Levels")
	remove_control_from_docks(_panel)
	_panel.queue_free()
	_watcher.queue_free()
	remove_import_plugin(_importer)
	_importer = null


func _on_status_changed(status: Dictionary, files_changed: bool) -> void:
	_panel.show_status(status)
	if files_changed:
		_scan()


# The editor drops a scan that is asked for during another, so a busy one is waited for.
func _scan() -> void:
	var files := EditorInterface.get_resource_filesystem()
	while files.is_scanning():
		await get_tree().process_frame
	files.scan()
