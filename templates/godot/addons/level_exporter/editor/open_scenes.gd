@tool
extends Node
## Brings the scenes that are open in the editor up to date with exported files.
##
## Godot imports pictures and blobs that changed, and loads TileSets again, but an open scene stays
## as it was. So those that show an exported scene, by instance or inheritance, however deep, are
## loaded again. One with unsaved changes is left alone until they are saved or undone.

## The open scenes that show an older level because they have unsaved changes.
signal held_back(scenes: PackedStringArray)

# How long the editor may take to see changed files and to load a scene.
const _MOST_SECONDS := 20.0
const _SECONDS := 0.2
# What the editor writes behind the name of a scene that has changes.
const _UNSAVED_MARK := "(*)"

var _files := {}
var _is_busy := false
# By path: the number of the root that is held back; 0 where the editor does not tell it yet.
var _held := {}
var _wait := 0.0


## Has the editor look for changed files, then loads the open scenes again that show one of them.
func refresh(files: PackedStringArray) -> void:
	for file in files:
		_files[file] = true
	if _is_busy:
		return
	_is_busy = true
	while not _files.is_empty():
		var changed := _files
		_files = {}
		await scan()
		await _reload_those_with(changed)
	_is_busy = false


## Has the editor look for new and changed files, and waits until it has imported them.
func scan() -> void:
	var files := EditorInterface.get_resource_filesystem()
	# A scan that is asked for during another is dropped.
	while files.is_scanning():
		await get_tree().process_frame
	var state := {"is_done": false}
	var end := func() -> void: state["is_done"] = true
	files.filesystem_changed.connect(end, CONNECT_ONE_SHOT)
	files.scan()
	var limit := Time.get_ticks_msec() + int(_MOST_SECONDS * 1000.0)
	while not state["is_done"] and Time.get_ticks_msec() < limit:
		await get_tree().process_frame
	if files.filesystem_changed.is_connected(end):
		files.filesystem_changed.disconnect(end)


func _process(delta: float) -> void:
	_wait -= delta
	if _held.is_empty() or _is_busy or _wait > 0.0:
		return
	_wait = _SECONDS
	var ready := PackedStringArray()
	var roots := _open_roots()
	var open := EditorInterface.get_open_scenes()
	for path: String in _held.keys():
		var root: int = roots.get(path, 0)
		if not open.has(path) or _held[path] != 0 and root != _held[path]:
			_held.erase(path)  # closed, or loaded again by the user
			held_back.emit(PackedStringArray(_held.keys()))
		elif root != 0 and not _is_unsaved(path):
			ready.append(path)
	if not ready.is_empty():
		_is_busy = true
		await _reload(ready)
		_is_busy = false
		refresh(PackedStringArray())


func _reload_those_with(files: Dictionary) -> void:
	var scenes := {}
	for file: String in files:
		if file.get_extension() == "tscn" and FileAccess.file_exists(file):
			scenes[file] = true
	if scenes.is_empty():
		return
	var affected := PackedStringArray()
	var known := {}
	for path in EditorInterface.get_open_scenes():
		if _shows(path, scenes, known):
			affected.append(path)
	await _reload(affected)


# Whether a scene is one of those or is made with one, by what its files say.
static func _shows(path: String, scenes: Dictionary, known: Dictionary) -> bool:
	if scenes.has(path):
		return true
	if not known.has(path):
		known[path] = false  # for scenes that name each other
		for dependency in ResourceLoader.get_dependencies(path):
			if _shows(_path_of(dependency, path.get_base_dir()), scenes, known):
				known[path] = true
				break
	return known[path]


# A dependency is a path, which may be relative, or "uid::type::path".
static func _path_of(dependency: String, folder: String) -> String:
	var uid := dependency.get_slice("::", 0)
	var path := dependency.get_slice("::", dependency.get_slice_count("::") - 1)
	if not path.is_absolute_path():
		path = folder.path_join(path).simplify_path()
	if not FileAccess.file_exists(path) and uid.begins_with("uid://"):
		var id := ResourceUID.text_to_id(uid)
		if ResourceUID.has_id(id):
			return ResourceUID.get_id_path(id)
	return path


func _reload(paths: PackedStringArray) -> void:
	var clean := PackedStringArray()
	var roots := _open_roots()
	for path in paths:
		if _is_unsaved(path):
			_tell_held(path, roots.get(path, 0))
		elif roots.has(path):
			clean.append(path)
			_held.erase(path)
		else:
			_held[path] = 0
	# A scene is made with those in memory. They are loaded again first, and kept until the end.
	var fresh: Array[Resource] = []
	for path in _in_order(clean):
		fresh.append(ResourceLoader.load(path, "PackedScene", ResourceLoader.CACHE_MODE_REPLACE))
	var edited := EditorInterface.get_edited_scene_root()
	if edited != null and clean.has(edited.scene_file_path):
		var path := edited.scene_file_path
		await _reload_one(path, roots[path])
		clean.remove_at(clean.find(path))
	for path in clean:
		await _reload_one(path, roots[path])
	fresh.clear()
	held_back.emit(PackedStringArray(_held.keys()))


# These scenes and all that they are made with, each after those that it is made with.
static func _in_order(paths: PackedStringArray) -> PackedStringArray:
	var order := {}
	for path in paths:
		_visit(path, order, {})
	return PackedStringArray(order.keys())


static func _visit(path: String, order: Dictionary, seen: Dictionary) -> void:
	if seen.has(path) or path.get_extension() != "tscn" or not FileAccess.file_exists(path):
		return
	seen[path] = true
	for dependency in ResourceLoader.get_dependencies(path):
		_visit(_path_of(dependency, path.get_base_dir()), order, seen)
	order[path] = true


# The editor drops the wish while it is loading another scene, so it is repeated.
func _reload_one(path: String, root: int) -> void:
	var limit := Time.get_ticks_msec() + int(_MOST_SECONDS * 1000.0)
	while _open_roots().get(path) == root and Time.get_ticks_msec() < limit:
		if _is_unsaved(path):
			_tell_held(path, root)
			return
		EditorInterface.reload_scene_from_path(path)
		await get_tree().process_frame


func _tell_held(path: String, root: int) -> void:
	if not _held.has(path):
		print(
			(
				"Level Exporter: %s has unsaved changes and shows an older level until they are saved"
				+ " (or dropped with Scene > Reload Saved Scene)"
			)
			% path
		)
	_held[path] = root


# The numbers of the open scenes' roots, by path.
static func _open_roots() -> Dictionary:
	var roots := {}
	for root: Node in _roots():
		if root != null and not root.scene_file_path.is_empty():
			roots[root.scene_file_path] = root.get_instance_id()
	return roots


# Godot 4.3 and 4.4 tell the root of the edited scene only.
static func _roots() -> Array:
	if EditorInterface.has_method("get_open_scene_roots"):
		return EditorInterface.call("get_open_scene_roots")
	var edited := EditorInterface.get_edited_scene_root()
	return [] if edited == null else [edited]


# The editor does not tell, but it marks the tab.
static func _is_unsaved(path: String) -> bool:
	var base := EditorInterface.get_base_control()
	for tabs: Node in base.find_children("*", "EditorSceneTabs", true, false):
		for bar: Node in tabs.find_children("*", "TabBar", true, false):
			return _is_marked(bar as TabBar, path)
	return true


# Titles are file names, with as many folders as it takes to tell them apart.
static func _is_marked(bar: TabBar, path: String) -> bool:
	for tab in bar.tab_count:
		var title := bar.get_tab_title(tab)
		if not title.ends_with(_UNSAVED_MARK):
			continue
		title = title.trim_suffix(_UNSAVED_MARK)
		if path.ends_with(title) or path.get_basename().ends_with(title):
			return true
	return false
