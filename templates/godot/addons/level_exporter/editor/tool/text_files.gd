@tool
extends RefCounted
## Opens text files at a line, in the user's external editor or in the system's program.

const _SETTINGS := "text_editor/external/"


## The program and its arguments that open a file at a line; empty if the user has no such editor.
static func command(path: String, line: int) -> PackedStringArray:
	var settings := EditorInterface.get_editor_settings()
	if not settings.get_setting(_SETTINGS + "use_external_editor"):
		return PackedStringArray()
	var program: String = settings.get_setting(_SETTINGS + "exec_path")
	var flags: String = settings.get_setting(_SETTINGS + "exec_flags")
	if program.is_empty():
		return PackedStringArray()
	var candidates := PackedStringArray([program])
	for word in flags.split(" ", false):
		candidates.append(
			(
				word
				. trim_prefix('"')
				. trim_suffix('"')
				. replace("{project}", ProjectSettings.globalize_path("res://"))
				. replace("{line}", str(line))
				. replace("{col}", "1")
				. replace("{file}", path)
			)
		)
	if not "{file}" in flags:
		candidates.append(path)
	return candidates


## Opens a file.
static func open(path: String, line: int) -> void:
	var external := command(path, line)
	if external.is_empty():
		OS.shell_open(path)
	else:
		OS.create_process(external[0], external.slice(1))
