@tool
extends RefCounted
## Parses a line of the exporter's output: whether it is an error, and the position it names.

## `error`, `warning`, or empty.
var severity := ""
## The file that the line begins with, as written; empty without one.
var file := ""
## The line in that file.
var line := 0
## How many letters of the line are the file and position.
var position_length := 0


## Parses a line of output. Only specs and settings can be opened: another file might be a program,
## which a click would run.
static func of(text: String) -> RefCounted:
	var line_parts := new()
	var pattern := RegEx.create_from_string("^((?:[A-Za-z]:)?[^:]+\\.ya?ml):(\\d+)(?::\\d+)?(?=:)")
	var matched := pattern.search(text)
	if matched != null:
		line_parts.file = matched.get_string(1)
		line_parts.line = matched.get_string(2).to_int()
		line_parts.position_length = matched.get_end()
	var kind := RegEx.create_from_string("(?:^|: |\\s)(error|warning): ").search(text)
	if kind != null:
		line_parts.severity = kind.get_string(1)
	return line_parts


## The absolute path of the named file, if it exists in one of these folders; empty if not.
func path_in(folders: PackedStringArray) -> String:
	if file.is_empty():
		return ""
	for start in folders:
		var path := file if file.is_absolute_path() else start.path_join(file)
		path = path.replace("\\", "/").simplify_path()
		for folder in folders:
			if path.begins_with(folder + "/") and FileAccess.file_exists(path):
				return path
	return ""
