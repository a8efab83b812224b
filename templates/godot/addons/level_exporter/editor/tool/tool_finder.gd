@tool
extends RefCounted
## Finds the exporter's command and the exporter's project. Looks at files, and runs nothing.

## The user's editor settings. A project cannot set them, so that a stranger's project never chooses
## a program to run or a package to install.
const PROGRAM_SETTING := "level_exporter/program"
const SOURCE_SETTING := "level_exporter/install_from"
## No package index has the exporter, so the user must choose a source to install from.
## `.ci/build-packages` can put in the address of the release that an addon belongs to.
const DEFAULT_SOURCE := ""
const PROJECT_FILE := "exporter.yaml"
## How far above the game's folder the exporter's project may lie.
const LEVELS_UP := 4
# An editor that was started from a desktop has a short PATH.
const _USUAL_FOLDERS: Array[String] = [
	"~/.local/bin", "~/.cargo/bin", "/opt/homebrew/bin", "/usr/local/bin"
]


## The game's folder.
static func game_folder() -> String:
	return ProjectSettings.globalize_path("res://").simplify_path().trim_suffix("/")


## Returns the folder with `exporter.yaml`: the game's, or one above it; empty if it is missing.
static func project_folder(game: String) -> String:
	var folder := game
	for level in LEVELS_UP:
		if FileAccess.file_exists(folder.path_join(PROJECT_FILE)):
			return folder
		folder = folder.get_base_dir()
	return ""


## Returns the exporter's command: the user's choice, else the one of the project's environment, of
## the environment that *Set Up* made, or on the PATH. Empty if it is missing.
static func find_exporter(chosen: String, project: String) -> String:
	if not chosen.is_empty():
		var candidate := chosen if chosen.is_absolute_path() else project.path_join(chosen)
		return candidate.simplify_path() if FileAccess.file_exists(candidate) else ""
	for folder: String in [project.path_join(".venv"), environment_folder()]:
		var program := program_in(folder, "exporter")
		if FileAccess.file_exists(program):
			return program
	return find_command(["exporter"])


## Whether a program lies in the game or its project, which may be untrusted.
static func is_in_project(program: String, project: String) -> bool:
	for folder: String in [project, game_folder()]:
		if not folder.is_empty() and program.begins_with(folder + "/"):
			return true
	return false


## The environment that *Set Up* makes, among the user's own data.
static func environment_folder() -> String:
	return OS.get_data_dir().path_join("level-exporter/environment").simplify_path()


## A program in a Python environment.
static func program_in(environment: String, name: String) -> String:
	if is_windows():
		return environment.path_join("Scripts/%s.exe" % name)
	return environment.path_join("bin/%s" % name)


## The first of some commands that is on the PATH or in a usual folder; empty if none is.
static func find_command(names: Array[String]) -> String:
	for name in names:
		for folder in _command_folders():
			var candidate := folder.path_join(name + (".exe" if is_windows() else ""))
			if FileAccess.file_exists(candidate):
				return candidate
	return ""


## Whether programs are called as on Windows.
static func is_windows() -> bool:
	return OS.get_name() == "Windows"


static func _command_folders() -> PackedStringArray:
	var folders := PackedStringArray()
	var listed := OS.get_environment("PATH").split(";" if is_windows() else ":")
	for folder in listed:
		var candidate := folder.replace("\\", "/").simplify_path()
		# A relative folder would be one of whatever folder the editor was started in. What
		# is in Windows' `WindowsApps` opens the shop.
		if candidate.is_absolute_path() and not candidate.ends_with("/WindowsApps"):
			folders.append(candidate)
	if not is_windows():
		for folder in _USUAL_FOLDERS:
			folders.append(folder.replace("~", OS.get_environment("HOME")))
	return folders
