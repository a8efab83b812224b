extends SceneTree
## Runs one query script: `-- SCRIPT QUESTION.json ANSWER.json`. The script's
## `query(arguments)` may await; what it returns is written as JSON.


func _initialize() -> void:
	var files := OS.get_cmdline_user_args()
	var script: GDScript = load(files[0])
	if script == null or not script.can_instantiate():
		quit(2)
		return
	var question: Variant = JSON.parse_string(FileAccess.get_file_as_string(files[1]))
	var result: Variant = await script.new().query(question)
	var answer := FileAccess.open(files[2], FileAccess.WRITE)
	answer.store_string(JSON.stringify(result, "", true, true))
	answer.close()
	quit()
