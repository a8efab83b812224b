@tool
extends RefCounted
## Defines the panel's settings in the editor.

const ToolFinder := preload("tool_finder.gd")


## Adds the settings to the editor, unless they exist.
static func add() -> void:
	var defaults := {
		ToolFinder.PROGRAM_SETTING: "", ToolFinder.SOURCE_SETTING: ToolFinder.DEFAULT_SOURCE
	}
	var settings := EditorInterface.get_editor_settings()
	for name: String in defaults:
		if not settings.has_setting(name):
			settings.set_setting(name, defaults[name])
		settings.set_initial_value(name, defaults[name], false)
		settings.add_property_info({"name": name, "type": TYPE_STRING})
