@tool
extends EditorPlugin
## Scans the project once for each line of the standard input, a JSON object whose `plugins` are
## enabled meanwhile. A line `@@scanned` ends the output.
## Reading blocks, so that an editor without work costs nothing.

var _is_busy := false


func _process(_delta: float) -> void:
	var files := EditorInterface.get_resource_filesystem()
	if _is_busy or files.is_scanning():
		return
	_is_busy = true
	var line := OS.read_string_from_stdin(65536)
	if line.is_empty():
		get_tree().quit()
		return
	var job: Dictionary = JSON.parse_string(line)
	for plugin: String in job["plugins"]:
		EditorInterface.set_plugin_enabled(plugin, true)
	files.scan()
	await get_tree().process_frame
	while files.is_scanning():
		await get_tree().process_frame
	# Imports of a scan end in the frames after it.
	for frame in 3:
		await get_tree().process_frame
	for plugin: String in job["plugins"]:
		EditorInterface.set_plugin_enabled(plugin, false)
	_forget(files.get_filesystem())
	print("@@scanned")
	_is_busy = false


## Removes loaded resources from the cache: the next project may have other files at these paths.
func _forget(folder: EditorFileSystemDirectory) -> void:
	for index in folder.get_subdir_count():
		_forget(folder.get_subdir(index))
	for index in folder.get_file_count():
		var resource := ResourceLoader.get_cached_ref(folder.get_file_path(index))
		if resource != null and resource is not Script:
			resource.resource_path = ""
