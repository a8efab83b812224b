@tool
extends RichTextLabel
## Shows the last lines of the exporter's output. A click on a position asks to open the file.

signal position_requested(path: String, line: int)

const OutputLine := preload("output_line.gd")

const MOST_LINES := 500
const _COLORS := {"error": Color("ff8c7a"), "warning": Color("ffd37a")}
const _COMMAND_COLOR := Color("8ab8ff")

## The folders whose files may be opened.
var folders := PackedStringArray()


func _init() -> void:
	bbcode_enabled = false
	selection_enabled = true
	context_menu_enabled = true
	scroll_following = true
	size_flags_vertical = Control.SIZE_EXPAND_FILL
	meta_clicked.connect(_on_clicked)


## Adds lines of the exporter.
func add_lines(lines: PackedStringArray, _are_errors: bool) -> void:
	for line in lines:
		var rest := line
		var said: OutputLine = OutputLine.of(line)
		var color: Variant = _COLORS.get(said.severity)
		var path := said.path_in(folders)
		if color != null:
			push_color(color)
		if not path.is_empty():
			push_meta({"path": path, "line": said.line})
			add_text(line.left(said.position_length))
			pop()
			rest = line.substr(said.position_length)
		add_text(rest)
		if color != null:
			pop()
		_end_line()


## Adds a line of the addon itself.
func add_own(line: String) -> void:
	push_color(_COMMAND_COLOR)
	add_text(line)
	pop()
	_end_line()


func _end_line() -> void:
	newline()
	# The last paragraph is the empty one that the next line goes to.
	while get_paragraph_count() > MOST_LINES + 1:
		remove_paragraph(0)


func _on_clicked(meta: Variant) -> void:
	if meta is Dictionary:
		position_requested.emit(str(meta["path"]), int(meta["line"]))
