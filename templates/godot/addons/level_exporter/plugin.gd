@tool
extends EditorPlugin
## Imports `.lvb` levels, and watches the exporter: shows the result of the last export in a dock,
## lets the editor load new files, focused or not, and updates open scenes and running games. A
## panel at the bottom runs the exporter when the user requests it.

const LevelImporter := preload("editor/level_importer.gd")
const LoadedTileSets := preload("editor/loaded_tile_sets.gd")
const OpenScenes := preload("editor/open_scenes.gd")
const PaintedCells := preload("editor/painted_cells.gd")
const StatusPanel := preload("editor/status_panel.gd")
const StatusWatcher := preload("editor/status_watcher.gd")
const ReleaseFilter := preload("editor/release_filter.gd")
const ToolPanel := preload("editor/tool/tool_panel.gd")
const ToolSettings := preload("editor/tool/tool_settings.gd")

## The script that swaps levels in games that run from the editor.
const AUTOLOAD := "LevelExporterLive"
## The project setting that decides whether this autoload exists.
const SETTING := "level_exporter/swap_levels_in_running_games"

const _MENU_ITEM := "Level Exporter: Look for New Levels"
const _KEEP_ITEM := "Level Exporter: Keep Painted Cells"

var _importer: EditorImportPlugin
var _filter: ReleaseFilter
var _watcher: StatusWatcher
var _scenes: OpenScenes
var _tile_sets: LoadedTileSets
var _painted: PaintedCells
var _panel: StatusPanel
var _tool: ToolPanel


func _enter_tree() -> void:
	_importer = LevelImporter.new()
	add_import_plugin(_importer)
	_filter = ReleaseFilter.new()
	add_export_plugin(_filter)
	_scenes = OpenScenes.new()
	_tile_sets = LoadedTileSets.new()
	_panel = StatusPanel.new()
	_panel.name = "Levels"
	_panel.scan_requested.connect(_scan)
	_painted = PaintedCells.new()
	_painted.reported.connect(_tell)
	_panel.keep_requested.connect(_keep_painted)
	scene_changed.connect(_painted.warn)
	_scenes.held_back.connect(_panel.show_held_back)
	_watcher = StatusWatcher.new()
	_watcher.changed.connect(_on_status_changed)
	add_child(_painted)
	add_child(_scenes)
	add_child(_tile_sets)
	add_child(_watcher)
	add_control_to_dock(DOCK_SLOT_LEFT_BR, _panel)
	ToolSettings.add()
	_tool = ToolPanel.new()
	_tool.name = "LevelExporterTool"
	add_control_to_bottom_panel(_tool, "Level Exporter")
	add_tool_menu_item(_MENU_ITEM, _scan)
	add_tool_menu_item(_KEEP_ITEM, _keep_painted)
	_add_setting()
	project_settings_changed.connect(_set_autoload)
	EditorInterface.get_resource_filesystem().filesystem_changed.connect(_set_autoload)
	_set_autoload.call_deferred()


func _exit_tree() -> void:
	scene_changed.disconnect(_painted.warn)
	project_settings_changed.disconnect(_set_autoload)
	EditorInterface.get_resource_filesystem().filesystem_changed.disconnect(_set_autoload)
	remove_tool_menu_item(_MENU_ITEM)
	remove_tool_menu_item(_KEEP_ITEM)
	remove_control_from_docks(_panel)
	_panel.queue_free()
	_tool.close()
	remove_control_from_bottom_panel(_tool)
	_tool.queue_free()
	_watcher.queue_free()
	_painted.queue_free()
	_scenes.queue_free()
	_tile_sets.queue_free()
	remove_export_plugin(_filter)
	_filter = null
	remove_import_plugin(_importer)
	_importer = null


func _disable_plugin() -> void:
	if ProjectSettings.has_setting("autoload/" + AUTOLOAD):
		remove_autoload_singleton(AUTOLOAD)


func _on_status_changed(status: Dictionary, levels: Array, files: PackedStringArray) -> void:
	_panel.show_status(status, levels)
	if not files.is_empty():
		_scenes.refresh(files)
		_painted.warn(EditorInterface.get_edited_scene_root(), true)


func _scan() -> void:
	_scenes.scan()


func _keep_painted() -> void:
	_painted.keep(EditorInterface.get_edited_scene_root())


func _tell(text: String) -> void:
	print(text)
	_panel.show_reported(text)


func _add_setting() -> void:
	if not ProjectSettings.has_setting(SETTING):
		ProjectSettings.set_setting(SETTING, true)
	ProjectSettings.set_initial_value(SETTING, true)
	ProjectSettings.set_as_basic(SETTING, true)
	ProjectSettings.add_property_info({"name": SETTING, "type": TYPE_BOOL})


func _set_autoload() -> void:
	if _filter == null or _filter.is_exporting:
		return
	var enabled: bool = ProjectSettings.get_setting(SETTING, true)
	var there := ProjectSettings.has_setting("autoload/" + AUTOLOAD)
	if enabled and not there:
		var folder := (get_script() as Script).resource_path.get_base_dir()
		var script_path := folder.path_join("live/live_levels.gd")
		# Before its first scan the editor does not know the uid by which it loads an autoload.
		if not EditorInterface.get_resource_filesystem().get_file_type(script_path).is_empty():
			add_autoload_singleton(AUTOLOAD, script_path)
	elif there and not enabled:
		remove_autoload_singleton(AUTOLOAD)
