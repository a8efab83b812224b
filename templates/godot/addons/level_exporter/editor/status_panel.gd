@tool
extends VBoxContainer
## Shows the exporter's last results in a dock: each level with errors, warnings and positions.

## The button to look for new files was pressed.
signal scan_requested
## The button to keep the cells painted in the edited scene was pressed.
signal keep_requested

const StatusReader := preload("../live/status_reader.gd")

const _COLORS := {
	"built": Color("8eda8e"), "unchanged": Color("b0b0b0"), "failed": Color("ff8c7a")
}
const _WARNING_COLOR := Color("ffd37a")

var _headline := Label.new()
var _held := Label.new()
var _message := Label.new()
var _tree := Tree.new()


func _init() -> void:
	custom_minimum_size = Vector2(180, 120)
	_headline.text = "The exporter has not run yet."
	_held.add_theme_color_override("font_color", _WARNING_COLOR)
	_held.hide()
	_message.hide()
	for label: Label in [_headline, _held, _message]:
		label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_tree.hide_root = true
	_tree.size_flags_vertical = Control.SIZE_EXPAND_FILL
	var button := Button.new()
	button.text = "Look for New Levels"
	button.pressed.connect(scan_requested.emit)
	var keep := Button.new()
	keep.text = "Keep Painted Cells"
	keep.tooltip_text = "Keeps the cells painted in the edited scene as hand edits of its level."
	keep.pressed.connect(keep_requested.emit)
	for control: Control in [_headline, _held, _message, _tree, button, keep]:
		add_child(control)


## Shows the last batch, and every level.
func show_status(status: Dictionary, levels: Array) -> void:
	_tree.clear()
	var root := _tree.create_item()
	# Faults of exporter.yaml belong to no level.
	for error: Variant in StatusReader.list_of(status.get("errors")):
		_add_error(root, error)
	var built := _built(status)
	var failed := 0
	var sorted_levels := levels.duplicate()
	sorted_levels.sort_custom(
		func(a: Dictionary, b: Dictionary) -> bool:
			return str(a.get("level", "")).naturalnocasecmp_to(str(b.get("level", ""))) < 0
	)
	for level: Dictionary in sorted_levels:
		_add_level(root, level, built)
		failed += 1 if level.get("status") == "failed" else 0
	_headline.text = headline(levels.size(), failed)


## Shows which open scenes have an older level, because they have unsaved changes.
func show_held_back(scenes: PackedStringArray) -> void:
	_held.visible = not scenes.is_empty()
	_held.text = held_text(scenes)


## Shows the result for painted cells.
func show_reported(text: String) -> void:
	_message.visible = not text.is_empty()
	_message.text = text


## Returns the message for this number of levels.
static func headline(levels: int, failed: int) -> String:
	if levels == 0:
		return "No level has been exported."
	var counted := "1 level" if levels == 1 else "%d levels" % levels
	if failed == 0:
		return "%s exported." % counted
	if levels == 1:
		return "The level failed; its files are the last good ones."
	if failed == 1:
		return "1 of %s failed; its files are the last good ones." % counted
	return "%d of %s failed; their files are the last good ones." % [failed, counted]


## Returns the message about scenes that show an older level.
static func held_text(scenes: PackedStringArray) -> String:
	var names := ", ".join(scenes)
	if scenes.size() == 1:
		return "%s has unsaved changes and shows an older level until they are saved." % names
	return "%s have unsaved changes and show older levels until they are saved." % names


# The specs that the last batch built.
static func _built(status: Dictionary) -> Dictionary:
	var specs := {}
	for entry: Variant in StatusReader.list_of(status.get("batch")):
		if entry is Dictionary:
			specs[entry.get("spec")] = true
	return specs


func _add_level(root: TreeItem, level: Dictionary, built: Dictionary) -> void:
	var item := _tree.create_item(root)
	var state := str(level.get("status", ""))
	if state == "built" and not built.has(level.get("spec")):
		state = "unchanged"
	var text := "%s: %s" % [level.get("level", "?"), state]
	var color: Color = _COLORS.get(state, Color.WHITE)
	if state != "failed" and level.get("complete") == false:
		text += " (incomplete)"
		color = _WARNING_COLOR
	_set_text(item, text, color)
	for error: Variant in StatusReader.list_of(level.get("errors")):
		_add_error(item, error)
	for warning: Variant in StatusReader.list_of(level.get("warnings")):
		_set_text(_tree.create_item(item), str(warning), _WARNING_COLOR)
	for path: Variant in StatusReader.list_of(level.get("kept")):
		var message := "%s: kept: changed since it was written" % path
		_set_text(_tree.create_item(item), message, _WARNING_COLOR)


func _add_error(parent: TreeItem, error: Variant) -> void:
	var text := str(error)
	if error is Dictionary:
		var source := [error.get("file", ""), int(error.get("line", 1)), int(error.get("column", 1))]
		text = "%s:%d:%d: %s" % (source + [error.get("message", "")])
	_set_text(_tree.create_item(parent), text, _COLORS["failed"])


# Texts are shown whole: wrapped, and once more in the tooltip.
static func _set_text(item: TreeItem, text: String, color: Color) -> void:
	item.set_text(0, text)
	item.set_tooltip_text(0, text)
	item.set_custom_color(0, color)
	item.set_autowrap_mode(0, TextServer.AUTOWRAP_WORD_SMART)
