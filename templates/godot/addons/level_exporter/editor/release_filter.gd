@tool
extends EditorExportPlugin
## Excludes files for the editor from exported games: the scripts that swap levels while a game
## runs from the editor, their autoload, and the editor's own scripts.

const _LEFT_OUT: Array[String] = ["editor/", "live/", "plugin.gd"]
const _AUTOLOAD := "autoload/LevelExporterLive"

## Whether a game is being exported.
var is_exporting := false

var _autoload: Variant = null


# Export plugins work in the order of their names, and files taken by the one called "GDScript" are
# exported.
func _get_name() -> String:
	return "Exclude Level Exporter"


# The settings of the exported game are those in memory, so the autoload is out of them meanwhile.
func _export_begin(
	_features: PackedStringArray, _is_debug: bool, _path: String, _flags: int
) -> void:
	is_exporting = true
	_autoload = ProjectSettings.get_setting(_AUTOLOAD, null)
	ProjectSettings.set_setting(_AUTOLOAD, null)


func _export_end() -> void:
	if _autoload != null:
		ProjectSettings.set_setting(_AUTOLOAD, _autoload)
	_autoload = null
	is_exporting = false


func _export_file(path: String, _type: String, _features: PackedStringArray) -> void:
	var addon := (get_script() as Script).resource_path.get_base_dir().get_base_dir()
	for entry in _LEFT_OUT:
		if path.begins_with(addon.path_join(entry)):
			skip()
			return
