@tool
extends RefCounted
## The commands that install the exporter for the user, by uv or by Python's own pip.

const ToolFinder := preload("tool_finder.gd")

# uv finds a Python that is new enough, or gets one.
const _PYTHON := ">=3.11"
const _PYTHONS: Array[String] = [
	"python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"
]


# Sources for pip and uv; `http://` could be changed on its way.
const _ADDRESSES: Array[String] = ["https://", "git+https://", "git+ssh://", "git+file://"]
const _ARCHIVES: Array[String] = ["whl", "gz", "zip"]


## Returns the requirement for pip and uv, from a text that the user typed or chose: a wheel, the
## folder of the source, or an address. Empty for anything else, because a bare name could be the
## package of a stranger.
static func source_of(typed: String) -> String:
	var source := typed.strip_edges()
	for start in _ADDRESSES:
		if source.begins_with(start) and source.length() > start.length():
			var file := source.get_slice("#", 0).get_slice("?", 0)
			var is_page := start == "https://" and file.get_extension() not in _ARCHIVES
			return "git+" + source if is_page else source
	if not source.is_absolute_path() or "://" in source:
		return ""
	if FileAccess.file_exists(source) and source.get_extension() == "whl":
		return source
	return source if FileAccess.file_exists(source.path_join("pyproject.toml")) else ""


## The commands to run in order, each a program with arguments. Empty without uv and Python.
static func commands(source: String, environment: String) -> Array[PackedStringArray]:
	var uv := ToolFinder.find_command(["uv"])
	if not uv.is_empty():
		return [
			PackedStringArray([uv, "venv", "--allow-existing", "--python", _PYTHON, environment]),
			PackedStringArray([uv, "pip", "install", "--python", environment, source]),
		]
	var python := ToolFinder.find_command(_PYTHONS)
	if python.is_empty():
		return []
	var own := ToolFinder.program_in(environment, "python")
	var install := "-m pip install --disable-pip-version-check --no-input"
	return [
		PackedStringArray([python, "-m", "venv", environment]),
		PackedStringArray([own]) + install.split(" ") + PackedStringArray([source]),
	]


## A command as one line, for people.
static func as_text(command: PackedStringArray) -> String:
	var words := PackedStringArray()
	for word in command:
		words.append('"%s"' % word if " " in word or word.is_empty() else word)
	return " ".join(words)


## Returns the question to ask before the commands are run.
static func question(
	listed: Array[PackedStringArray], source: String, environment: String
) -> String:
	var lines := PackedStringArray()
	for command in listed:
		lines.append("    " + as_text(command))
	return (
		"Install the exporter from %s by these commands?\n\n%s\n\n%s"
		% [
			source,
			"\n".join(lines),
			"Everything is installed in %s; nothing is changed in the project." % environment,
		]
	)
