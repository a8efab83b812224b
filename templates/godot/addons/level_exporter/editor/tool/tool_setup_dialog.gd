@tool
extends ConfirmationDialog
## Asks for the source to install the exporter from, and shows the commands. Only a wheel, a folder
## or an address can be confirmed, because the bare name of a package could be a stranger's.

## The user has confirmed these commands, which install from this source.
signal commands_confirmed(commands: Array[PackedStringArray], source: String)

const ToolSetup := preload("tool_setup.gd")

const _EXPLANATION := (
	"The exporter is not on a package index: choose its wheel (level_exporter-*.whl) or the folder of "
	+ "its repository, or paste an address of one."
)
const _WIDTH := 640

## The wheel, folder or address.
var source_field := LineEdit.new()
## Chooses a wheel or a folder.
var files := FileDialog.new()

var _environment := ""
var _said := Label.new()


func _init() -> void:
	title = "Level Exporter"
	ok_button_text = "Set Up"
	source_field.placeholder_text = "level_exporter-....whl, a folder, or https://..."
	source_field.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	source_field.text_changed.connect(_show_commands.unbind(1))
	register_text_enter(source_field)
	var browse := Button.new()
	browse.text = "Browse..."
	browse.pressed.connect(func() -> void: files.popup_centered_ratio(0.6))
	files.access = FileDialog.ACCESS_FILESYSTEM
	files.file_mode = FileDialog.FILE_MODE_OPEN_ANY
	files.add_filter("*.whl", "Wheels")
	files.file_selected.connect(_choose)
	files.dir_selected.connect(_choose)
	var bar := HBoxContainer.new()
	bar.add_child(source_field)
	bar.add_child(browse)
	var lines := VBoxContainer.new()
	for line: Control in [_label(_EXPLANATION), bar, _said]:
		lines.add_child(line)
	_said.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_said.custom_minimum_size.x = _WIDTH
	add_child(lines)
	add_child(files)
	confirmed.connect(_on_confirmed)


## Opens the dialog, and suggests the last installed source, or that of the addon.
func ask(source: String, environment: String) -> void:
	_environment = environment
	source_field.text = source
	_show_commands()
	popup_centered()
	source_field.grab_focus()


## Returns the text of the dialog: the commands, or the missing value.
func text() -> String:
	return _said.text


func _choose(path: String) -> void:
	source_field.text = path
	_show_commands()


func _show_commands() -> void:
	var source := ToolSetup.source_of(source_field.text)
	get_ok_button().disabled = source.is_empty()
	if not source.is_empty():
		var commands := ToolSetup.commands(source, _environment)
		_said.text = ToolSetup.question(commands, source, _environment)
	elif source_field.text.strip_edges().is_empty():
		_said.text = ""
	else:
		_said.text = "This is no wheel, no folder of the exporter's source and no address."


func _on_confirmed() -> void:
	var source := ToolSetup.source_of(source_field.text)
	if not source.is_empty():
		commands_confirmed.emit(ToolSetup.commands(source, _environment), source)


static func _label(words: String) -> Label:
	var label := Label.new()
	label.text = words
	label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	label.custom_minimum_size.x = _WIDTH
	return label
