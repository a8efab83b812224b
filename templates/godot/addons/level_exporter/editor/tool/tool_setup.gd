@tool
extends RefCounted
## The commands that install the exporter for the user, by uv or by Python's own pip.

const ToolFinder := preload("tool_finder.gd")

# uv finds a Python that is new enough, or gets one.
const _PYTHON := ">=3.11"
const _PYTHONS: Array[String] = [
	"python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"
]


## The commands, in order: each is a program and its arguments. None if there is neither uv nor Python.
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


## What is asked before the commands are run.
static func question(
	listed: Array[PackedStringArray], source: String, environment: String
) -> String:
	var lines := PackedStringArray()
	for command in listed:
		lines.append("    " + as_text(command))
	return (
		"Install %s and run these commands?\n\n%s\n\n%s\n%s"
		% [
			_named(source),
			"\n".join(lines),
			"Everything is installed in %s; nothing is changed in the project." % environment,
			"Editor Settings > Level Exporter > Install From says what is installed.",
		]
	)


static func _named(source: String) -> String:
	if "/" in source or "\\" in source:
		return "the exporter from %s" % source
	return "the package %s from the Python Package Index" % source
