@tool
extends VBoxContainer
## The dock: what the exporter last did, level by level, with errors, warnings and where they are.

## The button: the editor should look for new files now.
signal scan_asked

const StatusWatcher := preload("status_watcher.gd")
const _COLORS := {
	"built": Color("8eda8e"), "unchanged": Color("b0b0b0"), "failed": Color("ff8c7a")
}

const _WARNING_COLOR := Color("ffd37a")

var _headline := Label.new()
var _tree := Tree.new()


func _init() -> void:
	custom_minimum_size = Vector2(180, 120)
	_headline.text = "The exporter has not run yet."
	_headline.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_tree.hide_root = true
	_tree.size_flags_vertical = Control.SIZE_EXPAND_FILL
	var button := Button.new()
	button.text = "Look for New Levels"
	button.pressed.connect(scan_asked.emit)
	for control: Control in [_headline, _tree, button]:
		add_child(control)


## Shows a status as [code]status.json[/code] has it.
func show_status(status: Dictionary) -> void:
	_tree.clear()
	var root := _tree.create_item()
	var levels := StatusWatcher.levels_of(status)
	var failed := 0
	# Faults of exporter.yaml belong to no level.
	for error: Variant in status.get("errors", []):
		_add_error(root, error)
	for level in levels:
		var item := _tree.create_item(root)
		var state := str(level.get("status", ""))
		item.set_text(0, "%s: %s" % [level.get("level", "?"), state])
		item.set_custom_color(0, _COLORS.get(state, Color.WHITE))
		if state != "failed" and level.get("complete") == false:
			item.set_text(0, "%s (incomplete)" % item.get_text(0))
			item.set_custom_color(0, _WARNING_COLOR)
		var errors: Variant = level.get("errors")
		if errors is Array:
			for error: Variant in errors:
				_add_error(item, error)
		for warning: Variant in _list(level.get("warnings")):
			_add_warning(item, str(warning))
		for path: Variant in _list(level.get("kept")):
			_add_warning(item, "%s: kept: changed since it was written" % path)
		failed += 1 if state == "failed" else 0
	_headline.text = (
		"%d levels exported." % levels.size()
		if failed == 0
		else "%d of %d levels failed; their files are the last good ones." % [failed, levels.size()]
	)


func _list(value: Variant) -> Array:
	return value if value is Array else []


func _add_warning(parent: TreeItem, text: String) -> void:
	var item := _tree.create_item(parent)
	item.set_text(0, text)
	item.set_tooltip_text(0, text)
	item.set_custom_color(0, _WARNING_COLOR)


func _add_error(parent: TreeItem, error: Variant) -> void:
	var item := _tree.create_item(parent)
	if error is Dictionary:
		var place := "%s:%d" % [error.get("file", ""), int(error.get("line", 0))]
		item.set_text(0, "%s %s" % [place, error.get("message", "")])
		item.set_tooltip_text(0, item.get_text(0))
	else:
		item.set_text(0, str(error))
