@tool
extends VBoxContainer
## The panel that installs the exporter, starts and stops `exporter watch`, and shows its output.
##
## Nothing is run when a project is opened: each program is started by a click, and one that may
## have come with the project, or that installs something, only after a question that shows it.

const TextFiles := preload("text_files.gd")
const ToolFinder := preload("tool_finder.gd")
const ToolOutput := preload("tool_output.gd")
const ToolProcess := preload("tool_process.gd")
const ToolSetup := preload("tool_setup.gd")
const ToolSetupDialog := preload("tool_setup_dialog.gd")

const _NO_PYTHON := "Install Python 3.11 or newer, or uv, first. Then press Set Up again."

## Opens a file at a line.
var open_file := TextFiles.open
var process := ToolProcess.new()
var output := ToolOutput.new()
var set_up_button := _button("Set Up...", "Asks where to install the exporter from.")
var create_button := _button("Create Project...", "Writes exporter.yaml and a first level.")
var start_button := _button("Start", "Runs `exporter watch`: exports what changes.")
var stop_button := _button("Stop", "Stops the exporter that was started here.")
var question := ConfirmationDialog.new()
var set_up_question := ToolSetupDialog.new()

var _headline := Label.new()
# The action to run when the question is answered with yes.
var _callback := Callable()
# Commands that follow the one that runs.
var _following: Array[PackedStringArray] = []
# Programs of the project that the user has allowed since the editor was opened.
var _allowed := {}
var _program := ""
var _project := ""


func _init() -> void:
	custom_minimum_size = Vector2(0, 200)
	_headline.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_headline.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	var bar := HBoxContainer.new()
	bar.add_child(_headline)
	var clear := _button("Clear", "Removes the lines below.")
	for button: Button in [set_up_button, create_button, start_button, stop_button, clear]:
		bar.add_child(button)
	set_up_button.pressed.connect(_ask_to_set_up)
	create_button.pressed.connect(_ask_to_create)
	start_button.pressed.connect(_on_start)
	stop_button.pressed.connect(_on_stop)
	clear.pressed.connect(output.clear)
	question.title = "Level Exporter"
	question.confirmed.connect(_on_confirmed)
	set_up_question.commands_confirmed.connect(_on_set_up_confirmed)
	process.lines_read.connect(output.add_lines)
	process.ended.connect(_on_ended)
	output.position_requested.connect(_on_position_requested)
	for child: Node in [bar, output, question, set_up_question, process]:
		add_child(child)


func _ready() -> void:
	refresh()


func _notification(what: int) -> void:
	if what == NOTIFICATION_APPLICATION_FOCUS_IN or what == NOTIFICATION_VISIBILITY_CHANGED:
		if is_node_ready():
			refresh()


## Searches for the exporter and its project again, and shows the possible actions.
func refresh() -> void:
	var game := ToolFinder.game_folder()
	var chosen := _setting(ToolFinder.PROGRAM_SETTING)
	_project = ToolFinder.project_folder(game)
	_program = ToolFinder.find_exporter(chosen, game if _project.is_empty() else _project)
	output.folders = PackedStringArray([game] if _project.is_empty() else [_project, game])
	var is_busy := process.is_running()
	set_up_button.visible = _program.is_empty()
	create_button.visible = _project.is_empty() and not _program.is_empty()
	start_button.visible = not _project.is_empty() and not _program.is_empty()
	for button: Button in [set_up_button, create_button, start_button]:
		button.disabled = is_busy
	stop_button.disabled = not is_busy
	_headline.text = _state(chosen)


## Ends the running program before this returns.
func close() -> void:
	_following.clear()
	process.close()


func _state(chosen: String) -> String:
	if process.is_running():
		return "Running."
	if _program.is_empty() and not chosen.is_empty():
		return "There is no %s: see Editor Settings > Level Exporter > Program." % chosen
	if _program.is_empty():
		return "The exporter is not installed."
	if _project.is_empty():
		return "%s. There is no exporter.yaml in the game's folder or above it." % _program
	return "%s, for %s." % [_program, _project]


func _ask_to_set_up() -> void:
	var source := _setting(ToolFinder.SOURCE_SETTING)
	if source.is_empty():
		source = ToolFinder.DEFAULT_SOURCE
	var environment := ToolFinder.environment_folder()
	if ToolSetup.commands(source, environment).is_empty():
		output.add_own(_NO_PYTHON)
		return
	set_up_question.ask(source, environment)


func _on_set_up_confirmed(commands: Array[PackedStringArray], source: String) -> void:
	var settings := EditorInterface.get_editor_settings()
	settings.set_setting(ToolFinder.SOURCE_SETTING, source)
	_run_all(commands)


func _ask_to_create() -> void:
	var command := PackedStringArray([_program, "init", ToolFinder.game_folder()])
	var commands: Array[PackedStringArray] = [command]
	var text := "Write exporter.yaml and a first level by this command?\n\n    %s"
	_ask(text % ToolSetup.as_text(command), _allow_and_run.bind(_program, commands))


func _on_start() -> void:
	refresh()
	if _program.is_empty() or _project.is_empty():
		return
	var command := PackedStringArray([_program, "watch", _project, "--end-with-input"])
	var commands: Array[PackedStringArray] = [command]
	if ToolFinder.is_in_project(_program, _project) and not _allowed.has(_program):
		var text := "Run this program, which lies in the project?\n\n    %s\n\n"
		text += "It can do all that you can."
		_ask(text % _program, _allow_and_run.bind(_program, commands))
	else:
		_run_all(commands)


func _on_stop() -> void:
	_following.clear()
	process.stop()


func _ask(text: String, then: Callable) -> void:
	_callback = then
	question.dialog_text = text
	question.popup_centered()


func _on_confirmed() -> void:
	var then := _callback
	_callback = Callable()
	if then.is_valid():
		then.call()


func _allow_and_run(program: String, commands: Array[PackedStringArray]) -> void:
	_allowed[program] = true
	_run_all(commands)


func _run_all(commands: Array[PackedStringArray]) -> void:
	if process.is_running():
		return
	_following = commands.duplicate()
	_run_next()


func _run_next() -> void:
	var command: PackedStringArray = _following.pop_front()
	output.add_own("$ " + ToolSetup.as_text(command))
	if not process.start(command, "--end-with-input" in command):
		output.add_own("This program cannot be started.")
		_following.clear()
	refresh()


func _on_ended(exit_code: int) -> void:
	if exit_code == 0 and not _following.is_empty():
		_run_next()
		return
	_following.clear()
	output.add_own(_ending(exit_code))
	refresh()


static func _ending(exit_code: int) -> String:
	if exit_code == ToolProcess.KILLED:
		return "Killed."
	return "Ended." if exit_code == 0 else "Ended with exit code %d." % exit_code


func _on_position_requested(path: String, line: int) -> void:
	open_file.call(path, line)


static func _setting(setting: String) -> String:
	var settings := EditorInterface.get_editor_settings()
	if not settings.has_setting(setting):
		return ""
	return str(settings.get_setting(setting)).strip_edges()


static func _button(title: String, hint: String) -> Button:
	var button := Button.new()
	button.text = title
	button.tooltip_text = hint
	return button
